// The two endpoints of a label: one returns it as a fileOf, the other prints it. Decision 4.

import type { Actor } from '../../access/actor.ts'
import { type Endpoint, endpoint, type PartnerAccess } from '../../access/endpoint.ts'
import type { RequiredScope } from '../../access/scopes.ts'
import type { Database, Db } from '../../platform/database/db.ts'
import { type FileResponse, fileOf, json } from '../../platform/http/endpoint.ts'
import { verificationFailed } from '../../platform/http/refusal.ts'
import {
  allOptional,
  IntegerEnum,
  named,
  type Static,
  type TSchema,
  Type,
} from '../../platform/http/schema.ts'
import {
  DotsPerMM,
  LabelFormat,
  PrinterLanguage,
  type PrintJobKind,
  PrintType,
} from '../../vocabulary/paper.ts'
import {
  Copies,
  findPrinter,
  type PrinterType,
  PrintJobCreated,
  PrintOption,
  submitPrintJob,
} from '../print-jobs/submit.ts'
import { chooseSize } from './choose-size.ts'
import type { Label } from './label.ts'
import { renderLabelPng, renderLabelsPdf, writeLabelsZpl } from './label-file.ts'
import { zplType } from './zpl.ts'

const pdfType = 'application/pdf'
/** The maximum number of labels in one request or print job. */
const maxLabels = 500
// The resolution of most label printers.
const defaultDotsPerMM = DotsPerMM.Dpi203

type Options = Record<string, TSchema>
type OptionValues<O extends Options> = { [Name in keyof O]?: Static<O[Name]> | null }

/** Labels with the partner and consignment that they belong to. */
export interface RecordLabels {
  labels: readonly Label[]
  /** the name of the file and of the print job: "Pallet label LU-000012" */
  name: string
  /** the partner whose users may see the print job */
  partnerId: string | null
  consignmentId?: string
  /** they are sheets of paper for a document printer */
  areSheets?: boolean
}

/** A request for labels. */
export interface LabelRequest<Size extends string, O extends Options> {
  db: Db
  actor: Actor
  params: Record<string, string>
  size: Size
  dotsPerMM: number
  options: OptionValues<O>
}

/** Defines the endpoints of a kind of label. */
export interface LabelKind<Size extends string, O extends Options> {
  /** the path of the GET endpoint */
  path: string
  /** its name in the operation ids of the two endpoints */
  name: string
  partners: PartnerAccess
  /** the partners whose users may print it */
  printPartners: PartnerAccess
  /** the path parameter that must be the token's own partner */
  partnerParam?: string
  scope: Exclude<RequiredScope, 'any'>
  /** completes the summaries "Download …" and "Print …": "the label of a product" */
  subject: string
  description?: string
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  /** the first is the default */
  sizes: readonly Size[]
  options: O
  read(request: LabelRequest<Size, O>): Promise<RecordLabels>
  /** the type of printer for a size; default: label printers */
  printerType?(size: Size): PrinterType
}

/** The schema of a size name. */
export const SizeName = <Size extends string>(sizes: readonly Size[]) =>
  Type.Unsafe<Size>({
    type: 'string',
    enum: [...sizes],
    description: `Width and height in millimetres. Default: ${sizes[0]}.`,
  })

const formatQuery = {
  Format: Type.Optional({ ...IntegerEnum(LabelFormat), description: 'Default: PDF.' }),
  DotsPerMM: Type.Optional({
    ...IntegerEnum(DotsPerMM),
    description: 'The resolution of the printer; barcodes are drawn in whole dots. Default: 8.',
  }),
  Copies: Type.Optional({ ...Copies, description: 'The number of copies of each label. Default: 1.' }),
}

interface FormatQuery {
  Format?: (typeof LabelFormat)[keyof typeof LabelFormat]
  DotsPerMM?: number
  Copies?: number
}

/** Builds the endpoints of a kind of label: GET {path} and POST {path}/print. */
export function labelEndpoints<const Size extends string, const O extends Options>(
  label: LabelKind<Size, O>,
): Endpoint[] {
  const { path, name, partners, scope, subject, description, sizes, options } = label
  const queryFields = Object.entries(options).map(([field, schema]) => [
    pascalCase(field),
    Type.Optional(schema),
  ])
  const common = {
    extension: true,
    ...(description === undefined ? {} : { description }),
    ...(label.partnerParam === undefined ? {} : { partnerParam: label.partnerParam as never }),
  } as const
  const [defaultSize] = sizes as readonly [Size]
  return [
    endpoint({
      get: path,
      name: `download${name}`,
      partners,
      scope,
      ...common,
      summary: `Download ${subject}`,
      query: Type.Object({
        Size: Type.Optional(SizeName(sizes)),
        ...formatQuery,
        ...(Object.fromEntries(queryFields) as Options),
      }),
      response: fileOf(pdfType, zplType, 'image/png'),
      async handle({ db, actor, params, query }) {
        const format = query as FormatQuery & { Size?: Size }
        const values = Object.fromEntries(
          Object.keys(options).map(field => [field, (query as Record<string, unknown>)[pascalCase(field)]]),
        ) as OptionValues<O>
        const read = await label.read({
          db,
          actor,
          params: params as Record<string, string>,
          size: format.Size ?? defaultSize,
          dotsPerMM: format.DotsPerMM ?? defaultDotsPerMM,
          options: values,
        })
        return writeFile(read, actor.organisationId, format)
      },
    }),
    endpoint({
      post: `${path}/print`,
      name: `print${name}`,
      partners: label.printPartners,
      scope: 'print',
      ...common,
      summary: `Print ${subject}`,
      body: named(
        `${name}Print`,
        Type.Object({
          printOption: PrintOption,
          ...allOptional({ size: SizeName(sizes) }),
          ...allOptional(options),
        }),
      ),
      ownTransactions: true,
      response: json(PrintJobCreated),
      handle({ database, actor, params, body }) {
        const { printOption, size } = body as { printOption: PrintOption; size?: Size | null }
        return printLabels({ database, actor, printOption, size, ...label }, (db, size, dotsPerMM) =>
          label.read({
            db,
            actor,
            params: params as Record<string, string>,
            size,
            dotsPerMM,
            options: body as OptionValues<O>,
          }),
        )
      },
    }),
  ]
}

const pascalCase = (field: string) => `${field[0]?.toUpperCase()}${field.slice(1)}`

/** Writes labels to a file. Refuses (400) too many labels and a format that does not suit them. */
async function writeFile(
  readLabels: RecordLabels,
  owner: string,
  { Format = LabelFormat.Pdf, Copies: copies = 1 }: FormatQuery,
): Promise<FileResponse> {
  const { labels, name, areSheets } = readLabels
  refuseTooMany(readLabels, copies)
  if (Format === LabelFormat.Zpl) {
    if (areSheets) throw verificationFailed('A sheet of labels is made as PDF only.')
    return {
      fileName: `${name}.zpl`,
      contentType: zplType,
      bytes: await writeLabelsZpl(labels, copies, owner),
    }
  }
  if (Format === LabelFormat.Png) {
    const [label] = labels
    if (areSheets) throw verificationFailed('A sheet of labels is made as PDF only.')
    if (label === undefined || labels.length > 1)
      throw verificationFailed(`A PNG shows one label; these are ${labels.length}.`)
    return { fileName: `${name}.png`, contentType: 'image/png', bytes: await renderLabelPng(label, owner) }
  }
  const repeated = labels.flatMap(label => Array.from({ length: copies }, () => label))
  const { content } = await renderLabelsPdf(repeated, owner)
  return { fileName: `${name}.pdf`, contentType: pdfType, bytes: content }
}

/** Refuses (400) more labels than one request may make. To be called before the labels are laid out. */
export function refuseTooManyLabels(count: number): void {
  if (count > maxLabels)
    throw verificationFailed(`At most ${maxLabels} labels are made at a time; these would be ${count}.`)
}

function refuseTooMany({ labels, areSheets }: RecordLabels, copies: number): void {
  if (!areSheets) refuseTooManyLabels(labels.length * copies)
}

/** The parts of a print request that all kinds of labels share. */
interface PrintRequest<Size extends string>
  extends Pick<LabelKind<Size, Options>, 'kind' | 'scope' | 'sizes' | 'printerType'> {
  database: Database
  actor: Actor
  printOption: PrintOption
  /** the requested size, if any */
  size: Size | null | undefined
}

/** Makes labels in the language, resolution and size of the requested printer, and stores the print job. */
export async function printLabels<Size extends string>(
  { database, actor, printOption, kind, scope, sizes, size: requested, printerType }: PrintRequest<Size>,
  read: (db: Db, size: Size, dotsPerMM: number) => Promise<RecordLabels>,
): Promise<Static<typeof PrintJobCreated>> {
  const { db } = database
  const [defaultSize] = sizes as readonly [Size]
  const type = printerType?.(requested ?? defaultSize) ?? PrintType.Label
  const printer = await findPrinter(db, actor, printOption, type).catch(async refusal => {
    // An unknown record is reported before an unavailable printer.
    await read(db, requested ?? defaultSize, defaultDotsPerMM)
    throw refusal
  })
  const { size, media } = chooseSize(printer, sizes, requested ?? undefined)
  const labels = await read(db, size, printer.dotsPerMM ?? defaultDotsPerMM)
  const copies = printOption.copies ?? 1
  const owner = actor.organisationId
  refuseTooMany(labels, copies)
  const isZpl = printer.language === PrinterLanguage.Zpl && !labels.areSheets
  const job = isZpl
    ? {
        contentType: zplType,
        content: await writeLabelsZpl(labels.labels, copies, owner),
        pages: labels.labels.length,
      }
    : { contentType: pdfType, ...(await renderLabelsPdf(labels.labels, owner)) }
  return database.inOneStatement(tx =>
    submitPrintJob(tx, actor, printer, {
      kind,
      ...job,
      copies,
      readScopes: scope,
      name: labels.name,
      media: labels.areSheets ? 'iso_a4_210x297mm' : media,
      partnerId: labels.partnerId,
      consignmentId: labels.consignmentId ?? null,
    }),
  )
}
