/* The digest of the sources that this library was compiled from, by which the loader detects a stale one. */

#include "kernel.h"

EXPORTED const char *sabot_sources(void) { return SABOT_SOURCES; }
