package office

// CheckHours checks the hours alone, as Read does.
func (d Document) CheckHours() error {
	var p problems
	d.Hours = joined(d.Hours)
	d.checkHours(&p)
	d.checkDays(&p)
	return p.list.err()
}
