module example.com/standup

go 1.25
