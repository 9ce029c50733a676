// Returns memory to the system before the garbage collector would.

/**
 * Releases the memory of bytes that are not used any more, unless other data shares their buffer; they are
 * empty afterwards. Without this, the bytes of large bodies make V8 collect all garbage again and again, and
 * its threads then take the processors from other requests.
 */
export function releaseMemory({ buffer, length }: Buffer): void {
  if (length === buffer.byteLength) (buffer as ArrayBuffer).transferToFixedLength(0)
}
