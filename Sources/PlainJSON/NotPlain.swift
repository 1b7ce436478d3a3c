/// That the plain way finds no value which is surely the one that `JSONDecoder` would find.
package struct NotPlain: Error {}
