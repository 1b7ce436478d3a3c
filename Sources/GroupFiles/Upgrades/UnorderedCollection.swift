/// A collection that is written as an array in any order, another one each time: its elements have no place.
protocol UnorderedCollection {}

extension Set: UnorderedCollection {}

/// If its keys are neither strings nor integers, say, the array has keys and values by turns.
extension Dictionary: UnorderedCollection {}
