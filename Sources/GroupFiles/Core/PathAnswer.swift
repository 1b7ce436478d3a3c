/// Whether a name leads to a core. "Could not look" differs from "looked, and it does not".
enum PathAnswer {
    case yes, no, unknown
}
