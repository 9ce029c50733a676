// The library that draws barcodes. It is large and most processes draw none: it is loaded with the first one.

import { createRequire } from 'node:module'

type Library = typeof import('bwip-js/node')

const require = createRequire(import.meta.url)
let library: Library | undefined

/** The library, which the first call loads. */
export function barcodeLibrary(): Library {
  library ??= require('bwip-js/node') as Library
  return library
}
