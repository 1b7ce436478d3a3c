package import Testing

extension Trait where Self == TimeLimitTrait {
    /// The test fails where it hangs. It says nothing of speed: all tests run at once, and on a slow machine a test may
    /// wait for minutes for its turn on one of the two cooperative threads.
    package static var endsInTime: Self { .timeLimit(.minutes(10)) }
}
