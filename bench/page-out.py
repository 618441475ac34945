#!/usr/bin/env python3
"""Pages out the memory of processes, as a system short of memory would while they idle.

usage: page-out.py PID...

Asks the kernel by process_madvise(MADV_PAGEOUT), Linux 5.10 or later, to reclaim each mapping
of each process. Needs root, and swap of more than twice the size for what no file backs. What
cannot be paged out, such as locked memory, stays.

Asks twice: the first time a page is written to swap, and its frame stays behind as swap cache,
from which a process has it back without reading the disk. Read back from there, it is clean, and
the second time its frame is freed at once.

Prints a line "PID BEFORE AFTER" for each process: what was resident before and after, in KiB.
Then a line "cached KIB": what is left in the swap cache of the whole system. Exit codes: 0 asked;
1 the kernel refused, or a process is gone; 2 wrong usage.
"""

import array
import ctypes
import errno
import os
import sys
import time

PIDFD_OPEN = 434  # these two are the same on every architecture that Java 17 runs on
PROCESS_MADVISE = 440
MADV_PAGEOUT = 21
SPECIAL = {errno.EINVAL, errno.ENOMEM, errno.EIO, errno.EFAULT}  # or gone meanwhile
WRITING = 1.0  # s, for what is on its way to swap
SWAPPED = 1 << 62  # in /proc/PID/pagemap
PAGE = os.sysconf("SC_PAGE_SIZE")

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long


class Range(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def syscall(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def kib(file, field):
    with open(file) as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def resident(pid):
    return kib(f"/proc/{pid}/status", "VmRSS")


def ranges(pid):
    with open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            begin, end = (int(address, 16) for address in line.split()[0].split("-"))
            if end < 1 << 63:  # not the kernel's own
                yield begin, end


def page_out(pid):
    descriptor = syscall(PIDFD_OPEN, ctypes.c_int(pid), ctypes.c_uint(0))
    try:
        for begin, end in list(ranges(pid)):
            try:
                syscall(PROCESS_MADVISE, ctypes.c_int(descriptor), ctypes.byref(Range(begin, end - begin)),
                        ctypes.c_size_t(1), ctypes.c_int(MADV_PAGEOUT), ctypes.c_uint(0))
            except OSError as error:
                if error.errno not in SPECIAL:
                    raise
    finally:
        os.close(descriptor)


def read_back(pid):
    with open(f"/proc/{pid}/pagemap", "rb", 0) as pagemap, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for begin, end in list(ranges(pid)):
            try:
                pages = array.array("Q", os.pread(pagemap.fileno(), (end - begin) // PAGE * 8, begin // PAGE * 8))
                for number, page in enumerate(pages):
                    if page & SWAPPED:
                        os.pread(memory.fileno(), 1, begin + number * PAGE)
            except OSError as error:
                if error.errno not in SPECIAL:
                    raise


def main(arguments):
    if not arguments or not all(argument.isdigit() for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    pids = [int(argument) for argument in arguments]
    try:
        before = [resident(pid) for pid in pids]
        for pid in pids:
            page_out(pid)
        time.sleep(WRITING)
        for pid in pids:
            read_back(pid)
            page_out(pid)
        for pid, size in zip(pids, before):
            print(pid, size, resident(pid))
        print("cached", kib("/proc/meminfo", "SwapCached"))
    except (OSError, StopIteration) as error:
        print(f"page-out: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
