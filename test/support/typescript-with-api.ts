// Gives generators of code the TypeScript of the client, which has the API that they need; the project's own
// compiler has none. For `node --import`.

import { registerHooks } from 'node:module'

const typescript = new URL('../../client/node_modules/typescript/lib/typescript.js', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context),
})
