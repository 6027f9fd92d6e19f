/* Which sources this library was compiled from, so that the loader can tell a stale one. */

#include "kernel.h"

EXPORTED const char *sabot_sources(void) { return SABOT_SOURCES; }
