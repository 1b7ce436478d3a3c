/// Whether a name leads to a core. Not to be able to look is another thing than to have seen that it does not.
enum PathAnswer {
    case yes, no, unknown
}
