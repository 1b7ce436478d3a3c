import WatchValueCommand

// Kept to this call, so that tests can link the command without the linker settings of a release.
WatchValue.main()
