// Printing, `/printing`: printers with their state, what is printed, and the bridges that feed the printers.

import { Page } from '../../frame/Page.tsx'
import { hasScope, useMe } from '../../me.ts'
import { printingWords as words } from '../../words/printing.ts'
import { Bridges } from './bridges.tsx'
import { Jobs } from './jobs.tsx'
import { Printers } from './printers.tsx'

export function Screen() {
  const me = useMe()
  const seesPrinters = hasScope(me, 'warehouse.read')
  return (
    <Page heading={words.printing}>
      {seesPrinters && <Printers />}
      {hasScope(me, 'print') && <Jobs />}
      {seesPrinters && <Bridges />}
    </Page>
  )
}
