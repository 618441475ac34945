#!/usr/bin/env python3
"""Pages out the memory of processes, as a system short of memory would while they idle.

usage: page-out.py PID...

Needs Linux 5.10 or later, root, and swap; prints one line that says how much was paged out, or why
nothing was. Asks the kernel twice by process_madvise(MADV_PAGEOUT): the first time a page is
written, a copy stays in memory; read back from there it is clean, and then given up at once.
"""

import array
import ctypes
import os
import sys
import time

PROCESS_MADVISE, MADV_PAGEOUT = 440, 21  # the same on every 64-bit architecture
SWAPPED = 1 << 62  # in /proc/PID/pagemap
PAGE = os.sysconf("SC_PAGE_SIZE")
libc = ctypes.CDLL(None, use_errno=True)


def mebibytes(file, field):
    with open(file) as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field + ":")) // 1024


def resident(pids):
    return sum(mebibytes(f"/proc/{pid}/status", "VmRSS") for pid in pids)


def ranges(pid):
    with open(f"/proc/{pid}/maps") as maps:
        for line in list(maps):
            begin, end = (int(address, 16) for address in line.split()[0].split("-"))
            if end < 1 << 63:  # not the kernel's own
                yield begin, end


def page_out(pid):
    descriptor = os.pidfd_open(pid)
    for begin, end in ranges(pid):  # the kernel refuses some, such as locked memory
        libc.syscall(PROCESS_MADVISE, descriptor, (ctypes.c_size_t * 2)(begin, end - begin), ctypes.c_size_t(1),
                     MADV_PAGEOUT, 0)
    os.close(descriptor)


def read_back(pid):
    with open(f"/proc/{pid}/pagemap", "rb", 0) as pagemap, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for begin, end in ranges(pid):
            pages = array.array("Q", os.pread(pagemap.fileno(), (end - begin) // PAGE * 8, begin // PAGE * 8))
            for number, page in enumerate(pages):
                if page & SWAPPED:
                    os.pread(memory.fileno(), 1, begin + number * PAGE)


def main(pids):
    before = resident(pids)
    if mebibytes("/proc/meminfo", "SwapFree") < 2 * before:
        print("nothing was paged out: swap of twice the processes' memory is needed")
        return
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
    print(f"paging out failed: {error}")
