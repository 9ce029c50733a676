// The texts of printers, print jobs and bridges.

import {
  DotsPerMM,
  PrinterAvailability,
  PrinterLanguage,
  PrintJobKind,
  PrintJobPhase,
  PrintJobStatus,
  PrintResult,
  PrintType,
  SetUpStatus,
} from '../../../client/src/waybill.ts'
import { plural } from '../../../ui/plural.ts'
import { inWords, nameIn } from './consignments.ts'

const languages: Readonly<Record<number, string>> = {
  [PrinterLanguage.Pdf]: 'PDF',
  [PrinterLanguage.Zpl]: 'ZPL',
}
const dots: Readonly<Record<number, string>> = {
  [DotsPerMM.Dpi150]: '150 dpi',
  [DotsPerMM.Dpi203]: '203 dpi',
  [DotsPerMM.Dpi300]: '300 dpi',
  [DotsPerMM.Dpi600]: '600 dpi',
}

export const printingWords = {
  printing: 'Printing',
  nothing: '–',

  printers: 'Printers',
  noPrinters: 'No printers yet. A bridge announces those of its warehouse.',
  printer: 'Printer',
  name: 'Name',
  state: 'State',
  prints: 'Prints',
  warehouse: 'Warehouse',
  acts: 'Acts',
  printerState: (status: number, availability: number) =>
    status === SetUpStatus.Inactive ? 'Inactive' : nameIn(PrinterAvailability, availability),
  reason: (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`,
  type: (type: number) => (type === PrintType.Label ? 'Labels' : 'Documents'),
  language: (language: number) => languages[language] ?? String(language),
  resolution: (value: number) => dots[value] ?? String(value),
  isDefault: 'Usual printer',
  newPrinter: 'New printer',
  printerMade: (name: string) => `${name} is set up. It is online once a bridge announces it.`,
  edit: 'Edit',
  of: (act: string, name: string) => `${act}: ${name}`,
  printerChanged: (name: string) => `${name} is changed`,
  testPage: 'Test page',
  testSent: (name: string) => `A test page is sent to ${name}`,
  typeField: 'Prints',
  languageField: 'Format',
  languageHelp: 'Most label printers take ZPL, the others PDF.',
  resolutionField: 'Resolution',
  unknown: 'Unknown',
  media: 'Media',
  mediaHelp: 'What is loaded, one a line, by IPP names such as iso_a4_210x297mm.',
  keepMinutes: 'Minutes that a job waits',
  keepHelp: 'A job that no bridge fetches meanwhile is given up.',
  defaultHelp: 'What is printed in its warehouse goes to it unless somebody chooses another.',
  inUse: 'In use',
  inUseHelp: 'Nothing can be sent to a printer that is not in use.',
  bridgeSets:
    'Its bridge sets name, format, resolution and media again whenever it starts; to keep a change, edit bridge.json.',

  jobs: 'Jobs',
  noJobs: 'Nothing was printed yet.',
  job: 'Job',
  what: 'What',
  by: 'By',
  when: 'When',
  kind: (kind: number) => inWords(nameIn(PrintJobKind, kind)).replace(/^Dg /, 'Dangerous goods '),
  jobState: (status: number, isInDoubt: boolean) =>
    isInDoubt ? 'In doubt' : inWords(nameIn(PrintJobStatus, status)),
  inDoubtWhy: 'It may be on paper, in part or whole. Look at the printer before it is printed again.',
  retry: 'Retry',
  retried: (name: string) => `${name} is printed again`,
  cancelJob: 'Cancel job',
  cancelWhy: (name: string, printer: string) =>
    `${name} is not printed on ${printer}. It can be printed later with Retry.`,
  cancelled: (name: string) => `${name} is cancelled`,
  download: 'Download',
  copies: (n: number, pages: number | null) =>
    [plural(n, 'copy', 'copies'), pages === null ? undefined : plural(pages, 'page')]
      .filter(Boolean)
      .join(', '),
  samePrinter: 'The same printer',
  onPrinter: 'Printer',
  phase: (phase: number) => inWords(nameIn(PrintJobPhase, phase)),
  result: (result: number) => nameIn(PrintResult, result),
  attempts: 'Attempts',
  noAttempts: 'Not tried yet.',
  expires: 'Given up after',
  finished: 'Ended',
  retriedBy: 'Printed again by',
  cancelledBy: 'Cancelled by',
  consignment: 'Consignment',
  open: 'Open',
  copiesHead: 'Copies',
  message: 'Message',

  bridges: 'Bridges',
  noBridges: 'No bridges yet. A bridge runs on one machine in the warehouse and feeds its printers.',
  newBridge: 'New bridge',
  newBridgeHelp: 'The machine that it runs on, such as Auckland office PC.',
  online: 'Online',
  offline: 'Offline',
  inactive: 'Inactive',
  version: (version: string) => `version ${version}`,
  lastSeen: 'Last seen',
  neverSeen: 'never seen',
  rename: 'Rename',
  deactivate: 'Deactivate',
  activate: 'Activate',
  deactivateBridgeWhy: (name: string) =>
    `${name} gets no more jobs, and its printers are offline. What waits for them is kept until it is given up.`,
  bridgeChanged: (name: string) => `${name} is changed`,
  command: 'Command',
  copyCommand: 'Copy command',
  commandWhy:
    'For the machine in the warehouse, with Node.js 20 or newer: put your printers in, then run it. It has the secret, which is shown only now.',
  commandOf: (url: string, bridge: { printerBridgeId: string; clientId: string; clientSecret: string }) =>
    [
      'npm install --global @waybill/bridge',
      "cat > bridge.json <<'END'",
      JSON.stringify(
        {
          url,
          ...bridge,
          stateFolder: 'state',
          printers: [
            {
              ...{ name: 'Office A4', type: 'document', language: 'pdf' },
              uri: 'ipp://ADDRESS-OF-THE-PRINTER/ipp/print',
            },
          ],
        },
        undefined,
        2,
      ),
      'END',
      'waybill-bridge check --config bridge.json',
      'waybill-bridge --config bridge.json',
    ].join('\n'),
} as const
