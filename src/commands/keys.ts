// `./waybill keys`: the keys that sign access tokens.

import type { Command } from 'commander'
import { administer } from './administer.ts'
import { type JsonOption, jsonOption, print } from './print.ts'

/** Adds `keys rotate`. */
export function addKeys(program: Command): void {
  program
    .command('keys')
    .description('the keys that sign access tokens; a new one is made every 90 days')
    .command('rotate')
    .description('make a new key that signs from now on; tokens signed by the other keys stay valid')
    .option(
      '--retire-others',
      'refuse tokens signed by the other keys, as after a leak: every app has to get a new access token',
    )
    .option(...jsonOption)
    .action(async ({ json, retireOthers }: JsonOption & { retireOthers?: boolean }) => {
      const { addSigningKey, retireOtherKeys } = await import('../oauth/signing-keys.ts')
      const kid = await administer(async (tx, store) => {
        const added = await addSigningKey(tx, await store.openSecrets())
        if (retireOthers) await retireOtherKeys(tx, added)
        return added
      })
      const text = `Access tokens are signed with the key ${kid} from now on.`
      print(
        json,
        { kid },
        retireOthers ? `${text} Those that other keys signed are refused within 30 seconds.` : text,
      )
    })
}
