package stack

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// leastSpace, in bytes, is more than the size of an empty database cluster with one segment of WAL.
const leastSpace = 128 << 20

// checkSpace returns Advice if the data folder's disk is almost full, because PostgreSQL's errors would be less clear.
func checkSpace(dir string) error {
	free, err := freeSpace(dir)
	if err != nil {
		return fmt.Errorf("free space of %s: %w", dir, err)
	}
	if free < leastSpace {
		return advise("The disk is full: free at least %d MB for %s (%d MB are left) and run the command again.",
			leastSpace>>20, dir, free>>20)
	}
	return nil
}

func freeSpace(dir string) (uint64, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	return disk.Bavail * uint64(disk.Bsize), err
}
