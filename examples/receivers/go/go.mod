module standup-receiver

go 1.25

require (
	example.com/standup v0.1.0
	modernc.org/sqlite v1.62.0
)

// `npm run clients -- go` builds it there.
replace example.com/standup => ../../../.cache/clients/go-client
