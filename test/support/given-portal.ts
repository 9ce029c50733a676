// The portal on the database of a world, for tests in a real browser.

import { pino } from 'pino'
import { addPortal, readPortal } from '../../src/portal/pages.ts'
import { addChecker } from './accessible.ts'
import { hasChromium } from './chromium.ts'
import { openProcess } from './given-oauth.ts'
import { freeAddress, givenUser } from './given-people.ts'
import type { World } from './harness.ts'

const portal = readPortal()

/** Why tests in a browser cannot run here; false if they can. */
export const noBrowser: string | false = !hasChromium
  ? 'set CHROMIUM_PATH to the Chromium of this machine'
  : portal === undefined
    ? 'build the portal: npm run build -w portal'
    : false

/** Serves the portal of a world. Returns its address, and makes people who can sign in. */
export async function openPortal({ database, admin }: Pick<World, 'database' | 'admin'>) {
  const url = await freeAddress()
  await openProcess(database, {
    authUrl: url,
    addTo: async app => {
      await addPortal(app, portal, pino({ level: 'silent' }))
      addChecker(app)
    },
  })
  const { organisationId } = admin.actor
  return {
    url,
    /** Makes a person of the organisation, and returns their email address. */
    givenPerson: async (user: Omit<Parameters<typeof givenUser>[1], 'organisationId'> = {}) =>
      (await givenUser(database, { organisationId, ...user })).email,
  }
}
