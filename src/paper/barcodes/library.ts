// The barcode library. It is large and most processes draw no barcodes, so it is loaded on first use.

import { createRequire } from 'node:module'

type Library = typeof import('bwip-js/node')

const require = createRequire(import.meta.url)
let library: Library | undefined

/** Returns the library; the first call loads it. */
export function barcodeLibrary(): Library {
  library ??= require('bwip-js/node') as Library
  return library
}
