package office

import "errors"

// CheckHours checks the hours alone.
func (d Document) CheckHours() error {
	var p problems
	d.checkHours(&p)
	return errors.Join(p.errs...)
}
