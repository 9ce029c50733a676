// Print: the picking list of a wave, as a file or on a printer.

import { useQuery } from '@tanstack/react-query'
import { PrinterAvailability, PrintType } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { read, readFile, send } from '../../api.ts'
import { save } from '../../frame/export-rows.ts'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { jobWords as words } from '../../words/jobs.ts'

export function PrintMenu({ jobId, warehouseId }: { jobId: string; warehouseId: string }) {
  const query = { PrintType: PrintType.Document, WarehouseId: warehouseId }
  const { data } = useQuery({
    ...read('/v1/printer-bridges/printer/options', { query }),
    enabled: hasScope(useMe(), 'print'),
  })
  const printers = data?.printers ?? []
  return (
    <Menu
      label={words.print}
      groups={[
        { acts: [{ id: 'download', text: words.downloadList, onAct: () => void download(jobId) }] },
        ...(printers.length === 0
          ? []
          : [
              {
                heading: words.printer,
                acts: printers.map(({ id, name, status }) => ({
                  ...{ id, text: name, onAct: () => void print(jobId, id, name) },
                  disabledReason: status === PrinterAvailability.Online ? undefined : words.printerOffline,
                })),
              },
            ]),
      ]}
    >
      <Button>{words.print}</Button>
    </Menu>
  )
}

async function download(jobId: string): Promise<void> {
  try {
    const { blob, name } = await readFile(`/v1/jobs/${jobId}/wave-pick/picking-list-pdf`)
    save(blob, name ?? words.listFile)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

async function print(jobId: string, printerId: string, name: string): Promise<void> {
  try {
    await send('post', '/v1/jobs/{jobId}/wave-pick/picking-list-pdf/print', {
      path: { jobId },
      body: { printOption: { printerId } },
    })
    notify({ text: words.sentTo(name) })
    await readAgain('/v1/print-jobs')
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}
