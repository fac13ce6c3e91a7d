package visit

import "fmt"

// Token shows a day's number as the visitor hears it: T-001, and T-1000 after T-999.
func Token(number int) string { return fmt.Sprintf("T-%03d", number) }
