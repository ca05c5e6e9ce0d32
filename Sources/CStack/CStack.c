#include "CStack.h"

__attribute__((noinline)) uintptr_t cstack_address(void) { return (uintptr_t)__builtin_frame_address(0); }
