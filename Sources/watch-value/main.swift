import WatchValueCommand

// No more than this, so that tests link the command without the way in which a released program is linked.
WatchValue.main()
