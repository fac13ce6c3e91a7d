package stack

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// leastSpace is what an empty database and one log of its changes need.
const leastSpace = 128 << 20

// checkSpace returns Advice when the disk of the data folder is as good as full: programs that run out of space say so less clearly.
func checkSpace(dir string) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return fmt.Errorf("free space of %s: %w", dir, err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < leastSpace {
		return advise("The disk is full: free at least %d MB for %s (%d MB are left) and run the command again.", leastSpace>>20, dir, free>>20)
	}
	return nil
}
