#!/usr/bin/env python3
"""Pages out the memory of processes, as a system short of memory would while they idle.

usage: page-out.py PID...

Needs Linux 5.10 or later, root, and swap; prints one line that says how much was paged out, or why
nothing was. Asks the kernel twice by process_madvise(MADV_PAGEOUT): the first time a page is
written, a copy stays in memory; read back from there it is clean, and then given up at once.
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
SPECIAL = {errno.EINVAL, errno.ENOMEM, errno.EIO, errno.EFAULT}  # mappings that stay, or are gone
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


def mebibytes(file, field):
    with open(file) as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field + ":")) // 1024


def ranges(pid):
    with open(f"/proc/{pid}/maps") as maps:
        for line in maps:
            begin, end = (int(address, 16) for address in line.split()[0].split("-"))
            if end < 1 << 63:  # not the kernel's own
                yield begin, end


def for_each_range(pid, action):
    for begin, end in list(ranges(pid)):
        try:
            action(begin, end)
        except OSError as error:
            if error.errno not in SPECIAL:
                raise


def page_out(pid):
    descriptor = syscall(PIDFD_OPEN, ctypes.c_int(pid), ctypes.c_uint(0))
    for_each_range(pid, lambda begin, end: syscall(
        PROCESS_MADVISE, ctypes.c_int(descriptor), ctypes.byref(Range(begin, end - begin)),
        ctypes.c_size_t(1), ctypes.c_int(MADV_PAGEOUT), ctypes.c_uint(0)))
    os.close(descriptor)


def read_back(pid):
    with open(f"/proc/{pid}/pagemap", "rb", 0) as pagemap, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        def read(begin, end):
            pages = array.array("Q", os.pread(pagemap.fileno(), (end - begin) // PAGE * 8, begin // PAGE * 8))
            for number, page in enumerate(pages):
                if page & SWAPPED:
                    os.pread(memory.fileno(), 1, begin + number * PAGE)
        for_each_range(pid, read)


def resident(pids):
    return sum(mebibytes(f"/proc/{pid}/status", "VmRSS") for pid in pids)


def main(pids):
    if mebibytes("/proc/meminfo", "SwapFree") < 2 * resident(pids):
        print("nothing was paged out: swap of twice the processes' memory is needed")
        return
    before = resident(pids)
    for pid in pids:
        page_out(pid)
    time.sleep(1)  # for what is on its way to swap
    for pid in pids:
        read_back(pid)
        page_out(pid)
    print(f"of {before} MiB, {resident(pids)} MiB stayed in memory after paging out")


try:
    main([int(pid) for pid in sys.argv[1:]])
except (OSError, StopIteration) as error:
    print(f"nothing was paged out: {error}")
