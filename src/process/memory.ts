// Memory of the process: what loading leaves behind is given back before the service says that it is ready.

import v8 from 'node:v8'
import vm from 'node:vm'

/**
 * Gives back what loading needed and serving does not, some 12 MiB, and lets memory grow with requests from
 * here on. Takes some 75 ms in which nothing else runs, so call it once, before the service is ready.
 */
export function settleMemory(): void {
  // The modules lie between what only loading them needed; an ordinary collection leaves those holes.
  v8.setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = vm.runInNewContext('gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  v8.setFlagsFromString('--no-expose-gc')
  // bin/waybill.js held the young space small while modules were loaded.
  v8.setFlagsFromString('--semi-space-growth-factor=2')
}
