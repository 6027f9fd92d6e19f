/* A disk that fails on command, for a process that is started with this library before all others (LD_PRELOAD).

   SABOT_FAULT is a file of four bytes that says what fails, and SABOT_FAULT_UNDER the folder in which it does. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { NONE, FULL, READ_ONLY, WRITE_FAILS, SYNC_FAILS, SLOW };
static const useconds_t SLOW_US = 1100000;

static volatile int *fault;
static const char *under;

__attribute__((constructor)) static void begin(void) {
  const char *control = getenv("SABOT_FAULT");
  under = getenv("SABOT_FAULT_UNDER");
  int fd = control && under ? open(control, O_RDWR) : -1;
  if (fd < 0) return;
  void *shared = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (shared != MAP_FAILED) fault = shared;
}

static int now(int fd) {
  if (!fault || *fault == NONE) return NONE;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NONE;
  path[length] = 0;
  return strncmp(path, under, strlen(under)) == 0 ? *fault : NONE;
}

static int refused(int fd) {
  switch (now(fd)) {
    case FULL: errno = ENOSPC; return 1;
    case READ_ONLY: errno = EROFS; return 1;
    case WRITE_FAILS: errno = EIO; return 1;
    default: return 0;
  }
}

static int unsynced(int fd) {
  int is = now(fd);
  if (is == SLOW) usleep(SLOW_US);
  if (is == SYNC_FAILS || is == WRITE_FAILS) { errno = EIO; return 1; }
  return 0;
}

#define REAL(name, type) static __typeof__(type) *real; if (!real) real = (__typeof__(type) *)dlsym(RTLD_NEXT, name)

ssize_t write(int fd, const void *data, size_t size) {
  REAL("write", ssize_t (int, const void *, size_t));
  return refused(fd) ? -1 : real(fd, data, size);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) {
  REAL("pwrite", ssize_t (int, const void *, size_t, off_t));
  return refused(fd) ? -1 : real(fd, data, size, at);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
  REAL("pwrite64", ssize_t (int, const void *, size_t, off64_t));
  return refused(fd) ? -1 : real(fd, data, size, at);
}

int fsync(int fd) {
  REAL("fsync", int (int));
  return unsynced(fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  REAL("fdatasync", int (int));
  return unsynced(fd) ? -1 : real(fd);
}
