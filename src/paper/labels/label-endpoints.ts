// The two endpoints of a label: one returns it as a file, the other prints it. Open-points 4.

import type { Database, Db } from '../../platform/database/db.ts'
import type { Actor } from '../../platform/http/actor.ts'
import {
  type Endpoint,
  endpoint,
  type FileAnswer,
  file,
  json,
  type PartnerAccess,
} from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import {
  allOptional,
  IntegerEnum,
  named,
  type Static,
  type TSchema,
  Type,
} from '../../platform/http/schema.ts'
import type { RequiredScope } from '../../platform/http/scopes.ts'
import { DotsPerMM, PrintType } from '../enumerations.ts'
import { PrinterLanguage, type PrintJobKind } from '../printer-bridges/enumerations.ts'
import {
  Copies,
  findPrinter,
  type PrinterType,
  PrintJobMade,
  PrintOption,
  submitPrintJob,
} from '../printer-bridges/submit.ts'
import { LabelFormat } from './enumerations.ts'
import type { Label } from './label.ts'
import { labelPng, labelsPdf, labelsZpl } from './label-file.ts'
import { zplType } from './zpl.ts'

const pdfType = 'application/pdf'
/** The most labels that one send has. */
const maxLabels = 500
// What most printers of labels have.
const usualDotsPerMM = DotsPerMM.Dpi203

type Options = Record<string, TSchema>
type Given<O extends Options> = { [Name in keyof O]?: Static<O[Name]> | null }

/** Labels, and whose they are. */
export interface ReadLabels {
  labels: readonly Label[]
  /** what people know them by: "Pallet LU-000012" */
  name: string
  /** whose people may see the print job */
  partnerId: string | null
  consignmentId?: string
  /** they are sheets of paper, printed by a printer for documents */
  areSheets?: boolean
}

/** How labels are asked for. */
export interface Asked<Size extends string, O extends Options> {
  db: Db
  actor: Actor
  params: Record<string, string>
  size: Size
  dotsPerMM: number
  options: Given<O>
}

/** What a kind of label is made from. */
export interface LabelKind<Size extends string, O extends Options> {
  /** the path of its GET */
  path: string
  /** what it is called in the names of the two endpoints */
  name: string
  partners: PartnerAccess
  /** whose people may print it */
  printPartners: PartnerAccess
  /** the id in the path that a token of a partner cannot choose */
  partnerParam?: string
  scope: RequiredScope
  /** completes "Download …" */
  what: string
  description?: string
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  /** the first is the usual one */
  sizes: readonly Size[]
  options: O
  read(asked: Asked<Size, O>): Promise<ReadLabels>
  /** what prints it in a size: printers for labels unless said */
  printerType?(size: Size): PrinterType
}

/** The schema of the names of sizes. */
export const SizeName = <Size extends string>(sizes: readonly Size[]) =>
  Type.Unsafe<Size>({
    type: 'string',
    enum: [...sizes],
    description: `Width and height in millimetres; ${sizes[0]} unless said.`,
  })

const formatQuery = {
  Format: Type.Optional({ ...IntegerEnum(LabelFormat), description: 'PDF unless said.' }),
  DotsPerMM: Type.Optional({
    ...IntegerEnum(DotsPerMM),
    description: 'How fine the printer prints: barcodes are drawn in whole dots of it. 8 unless said.',
  }),
  Copies: Type.Optional({ ...Copies, description: 'How often each label is there; 1 unless said.' }),
}

interface FormatAsked {
  Format?: (typeof LabelFormat)[keyof typeof LabelFormat]
  DotsPerMM?: number
  Copies?: number
}

/** The endpoints of a kind of label: GET {path}, and POST {path}/print. */
export function labelEndpoints<const Size extends string, const O extends Options>(
  label: LabelKind<Size, O>,
): Endpoint[] {
  const { path, name, partners, scope, what, description, sizes, options } = label
  const inQuery = Object.entries(options).map(([field, schema]) => [pascal(field), Type.Optional(schema)])
  const common = {
    extension: true,
    ...(description === undefined ? {} : { description }),
    ...(label.partnerParam === undefined ? {} : { partnerParam: label.partnerParam as never }),
  } as const
  const [usual] = sizes as readonly [Size]
  return [
    endpoint({
      get: path,
      name: `download${name}`,
      partners,
      scope,
      ...common,
      summary: `Download ${what}`,
      query: Type.Object({
        Size: Type.Optional(SizeName(sizes)),
        ...formatQuery,
        ...(Object.fromEntries(inQuery) as Options),
      }),
      answer: file,
      async handle({ db, actor, params, query }) {
        const asked = query as FormatAsked & { Size?: Size }
        const given = Object.fromEntries(
          Object.keys(options).map(field => [field, (query as Record<string, unknown>)[pascal(field)]]),
        ) as Given<O>
        const made = await label.read({
          db,
          actor,
          params: params as Record<string, string>,
          size: asked.Size ?? usual,
          dotsPerMM: asked.DotsPerMM ?? usualDotsPerMM,
          options: given,
        })
        return fileOf(made, actor.organisationId, asked)
      },
    }),
    endpoint({
      post: `${path}/print`,
      name: `print${name}`,
      partners: label.printPartners,
      scope: 'print',
      ...common,
      summary: `Print ${what}`,
      body: named(
        `${name}Print`,
        Type.Object({
          printOption: PrintOption,
          ...allOptional({ size: SizeName(sizes) }),
          ...allOptional(options),
        }),
      ),
      ownTransactions: true,
      answer: json(PrintJobMade),
      handle({ database, actor, params, body }) {
        const { printOption, size: asked } = body as { printOption: PrintOption; size?: Size | null }
        const size = asked ?? usual
        const type = label.printerType?.(size) ?? PrintType.Label
        return printLabels({ database, actor, printOption, kind: label.kind, type }, (db, dotsPerMM) =>
          label.read({
            db,
            actor,
            params: params as Record<string, string>,
            size,
            dotsPerMM,
            options: body as Given<O>,
          }),
        )
      },
    }),
  ]
}

const pascal = (field: string) => `${field[0]?.toUpperCase()}${field.slice(1)}`

/** Labels as a file. Refuses (400) more than a send may have, and a form that they cannot take. */
async function fileOf(
  made: ReadLabels,
  owner: string,
  { Format = LabelFormat.Pdf, Copies: copies = 1 }: FormatAsked,
): Promise<FileAnswer> {
  const { labels, name } = made
  refuseTooMany(made, copies)
  if (Format === LabelFormat.Zpl) {
    if (made.areSheets) throw verificationFailed('A sheet of labels is made as PDF only.')
    return { fileName: `${name}.zpl`, contentType: zplType, bytes: await labelsZpl(labels, copies, owner) }
  }
  if (Format === LabelFormat.Png) {
    const [label] = labels
    if (made.areSheets) throw verificationFailed('A sheet of labels is made as PDF only.')
    if (label === undefined || labels.length > 1)
      throw verificationFailed(`A PNG shows one label; these are ${labels.length}.`)
    return { fileName: `${name}.png`, contentType: 'image/png', bytes: await labelPng(label, owner) }
  }
  const repeated = labels.flatMap(label => Array.from({ length: copies }, () => label))
  const { content } = await labelsPdf(repeated, owner)
  return { fileName: `${name}.pdf`, contentType: pdfType, bytes: content }
}

function refuseTooMany({ labels, areSheets }: ReadLabels, copies: number): void {
  if (!areSheets && labels.length * copies > maxLabels)
    throw verificationFailed(
      `At most ${maxLabels} labels are made at a time; these would be ${labels.length * copies}.`,
    )
}

/** What printing labels needs, whichever they are. */
interface Printing {
  database: Database
  actor: Actor
  printOption: PrintOption
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  type: PrinterType
}

/** Makes labels in the language of the printer that is asked for, at its dots, and stores the print job. */
export async function printLabels(
  { database, actor, printOption, kind, type }: Printing,
  read: (db: Db, dotsPerMM: number) => Promise<ReadLabels>,
): Promise<Static<typeof PrintJobMade>> {
  const { db } = database
  const printer = await findPrinter(db, actor, printOption, type).catch(async refusal => {
    // A record that there is not is told before a printer that cannot be had.
    await read(db, usualDotsPerMM)
    throw refusal
  })
  const made = await read(db, printer.dotsPerMM ?? usualDotsPerMM)
  const copies = printOption.copies ?? 1
  const owner = actor.organisationId
  refuseTooMany(made, copies)
  const isZpl = printer.language === PrinterLanguage.Zpl && !made.areSheets
  // Labels in ZPL say themselves how often they are printed.
  const job = isZpl
    ? {
        contentType: zplType,
        content: await labelsZpl(made.labels, copies, owner),
        pages: made.labels.length,
      }
    : { contentType: pdfType, ...(await labelsPdf(made.labels, owner)), copies }
  return database.inOneStatement(tx =>
    submitPrintJob(tx, actor, printer, {
      kind,
      ...job,
      name: made.name,
      media: made.areSheets ? 'iso_a4_210x297mm' : null,
      partnerId: made.partnerId,
      consignmentId: made.consignmentId ?? null,
    }),
  )
}
