#ifndef CSTACK_H
#define CSTACK_H

#include <stdint.h>

// The address of the stack, also with a sanitizer that keeps variables elsewhere.
uintptr_t cstack_address(void);

#endif
