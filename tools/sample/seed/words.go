package seed

// The sample's visitors. All names are invented. All phone numbers begin with 90000 and are unassigned.
var firstNames = []string{
	"Aarav", "Aditi", "Ananya", "Arjun", "Bhavna", "Chitra", "Deepak", "Devika", "Farhan", "Gaurav", "Harpreet",
	"Ishaan", "Jyoti",
	"Karthik", "Lakshmi", "Manoj", "Meenakshi", "Mohammed", "Neha", "Nikhil", "Pooja", "Prakash", "Priya", "Rahul",
	"Rajesh", "Rekha",
	"Rohan", "Sakshi", "Sandeep", "Shabana", "Shruti", "Siddharth", "Sneha", "Sunita", "Suresh", "Tanvi", "Uday",
	"Vandana", "Vikram", "Zoya",
	"अनिता", "राजेश", "सुनीता", "கார்த்திக்", "மீனா",
}

var lastNames = []string{
	"Agarwal", "Bhat", "Chatterjee", "Deshmukh", "Fernandes", "Gupta", "Iyer", "Jain", "Kapoor", "Khan", "Kulkarni",
	"Mehta", "Menon",
	"Mishra", "Nair", "Patel", "Pillai", "Rao", "Reddy", "Saxena", "Shah", "Sharma", "Singh", "Sinha", "Verma",
}

// receptionNotes are notes of the front desk, by service; most visits have none.
var receptionNotes = map[string][]string{
	"ITR Filing": {
		"Has Form 16 and bank statements with him.", "Two employers this year.", "Asks about the new regime.",
	},
	"GST Registration":      {"New shop, rent agreement brought along.", "Partnership firm, both partners are here."},
	"GST Return Filing":     {"GSTR-3B of last month is still open.", "Brought the purchase register on a pen drive."},
	"Business Registration": {"Wants to compare LLP and private limited.", "Name of the firm is decided."},
	"Trademark Services":    {"Logo printed on paper.", "Reply to an objection is due this week."},
	"Tax Planning":          {"Sold a flat this year.", "Asks about 80C and NPS."},
	"Bookkeeping":           {"Monthly books, about 200 bills."},
}

var otherNotes = []string{
	"Second visit this month.", "Called in the morning.", "Prefers Hindi.", "Needs a receipt.",
	"Senior citizen, please be quick.",
}

var paNotes = []string{
	"Papers are complete.", "PAN copy to follow by mail.", "Asked to keep it short.", "Regular client.",
}

var denials = []string{
	"Papers are missing; will come again tomorrow.", "Wants the partner in person, who is away today.",
	"Left before being called.", "Not a service of this office.",
}

var sessionNotes = []string{
	"Filed; acknowledgement sent by mail.", "Documents checked, two are still missing.",
	"Explained the options, will decide by Monday.",
	"Registration applied for; number expected in a week.", "Advance tax worked out for the next quarter.",
	"Draft sent for approval.", "Done.",
}
