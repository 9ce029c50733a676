// Strips the types of Waybill's own files below node_modules, where Node.js does not. See waybill.js.

import { readFileSync } from 'node:fs'
import module from 'node:module'

const own = new URL('..', import.meta.url).href

module.registerHooks({
  load(url, context, next) {
    if (!url.startsWith(own) || !url.endsWith('.ts')) return next(url, context)
    const source = module.stripTypeScriptTypes(readFileSync(new URL(url), 'utf8'))
    return { format: 'module', shortCircuit: true, source }
  },
})
