// Where a sign-in comes back to, `/signed-in`. session.ts completes it and goes on; whoever opens the address
// by hand is led to Home.

import { useEffect } from 'react'
import { Page } from '../frame/Page.tsx'
import { useGo } from '../router.tsx'
import { words } from '../words.ts'

export function Screen() {
  const go = useGo()
  useEffect(() => go('/'), [go])
  return <Page heading={words.signingIn} state="loading" />
}
