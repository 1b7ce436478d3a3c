/// Thrown where plain decoding finds no value that is certainly the one that `JSONDecoder` would decode.
package struct NotPlain: Error {}
