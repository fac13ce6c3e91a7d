package office

// CheckHours checks the hours alone, as Read does.
func (d Document) CheckHours() error {
	var p Problems
	d.Hours = joined(d.Hours)
	d.checkHours(&p)
	d.checkDays(&p)
	return p.err()
}
