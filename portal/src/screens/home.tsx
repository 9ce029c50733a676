// The start screen, `/`.

import { Page } from '../frame/Page.tsx'
import { words } from '../words.ts'

export function Screen() {
  return <Page heading={words.home} />
}
