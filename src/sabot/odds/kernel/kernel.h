/* Shared by all files of the kernel. Every function that Python calls is marked EXPORTED. */

#ifndef SABOT_KERNEL_H
#define SABOT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define EXPORTED __attribute__((visibility("default")))

#endif
