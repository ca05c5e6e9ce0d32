#ifndef OBJECTIVE_C_H
#define OBJECTIVE_C_H
#if __OBJC_BOOL_IS_BOOL
typedef _Bool BOOL;
#else
typedef signed char BOOL;
#endif
typedef struct objc_selector *SEL;
typedef unsigned long NSUInteger;
typedef long NSInteger;
#pragma clang assume_nonnull begin
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
- (BOOL)respondsToSelector:(SEL)aSelector;
@property (readonly) NSUInteger hash;
@end
__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype)init __attribute__((objc_designated_initializer));
+ (instancetype)new;
@end
#pragma clang assume_nonnull end
#endif
