package lobby

// acceptedVisit is the visit of an accepted arrival in the response of the service visits.
const acceptedVisit = `{"id":"01a21545-06e3-7303-8e62-7b1e5e73f2af","token":"T-042","day":"2026-11-26",
"name":"Asha Rao","phone":"9876543210","service":{"id":"01890000-0000-7000-8000-000000000001","name":"ITR Filing"},
"language":"kn","status":"new","createdAt":"2026-11-26T00:32:55.011Z","updatedAt":"2026-11-26T00:32:55.011Z",
"decidedAt":null,"startedAt":null,"completedAt":null,"assignedConsultant":null,"assignedConsultantId":null,"notes":"",
"receptionNotes":"","paNotes":"","sessionNotes":"","waitTime":0,"sessionDuration":null,"version":1,
"queue":{"stage":"new","class":"normal","appointmentAt":null,"rankAt":"2026-11-26T00:32:55.011Z","dueAt":null,
"pinned":false,"counter":null,"calledAt":null,"callCount":0,"bypassed":0,"passedByHand":0,"held":null,"endedAt":null,
"transfers":0,"sittings":0,"satSince":null,"sessionSeconds":0,"correctedAt":null,
"undo":{"action":"create","until":"2026-11-26T00:33:25.017Z","by":"The reception"},"registeredByCaller":true,
"forecast":null},"documents":null}`
