package visit

import "fmt"

// Token formats a day's number as it is shown to the visitor: T-001, and T-1000 after T-999.
func Token(number int) string { return fmt.Sprintf("T-%03d", number) }
