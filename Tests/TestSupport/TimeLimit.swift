package import Testing

extension Trait where Self == TimeLimitTrait {
    /// Makes a test that hangs fail. It is no measure of speed: all tests run at once, and on a slow machine a test may
    /// wait for minutes for its turn on one of the two cooperative threads.
    package static var endsInTime: Self { .timeLimit(.minutes(10)) }
}
