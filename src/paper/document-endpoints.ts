// The two endpoints of a document: one returns it as PDF, the other prints it. Spec 4.2; decision 4.

import type { Actor } from '../access/actor.ts'
import { type Endpoint, endpoint, type PartnerAccess } from '../access/endpoint.ts'
import type { RequiredScope } from '../access/scopes.ts'
import type { Db } from '../platform/database/db.ts'
import { fileOf, json } from '../platform/http/endpoint.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, IntegerEnum, named, type Static, type TSchema, Type } from '../platform/http/schema.ts'
import { Orientation, PaperSize, type PrintJobKind, PrintType } from '../vocabulary/paper.ts'
import {
  countCharacters,
  type DocumentContent,
  maxLines as defaultMaxLines,
  maxCharacters,
} from './documents/document-content.ts'
import { type RenderedDocument, renderDocument } from './documents/render.ts'
import {
  findPrinter,
  PrintJobCreated,
  PrintOption,
  printOptionFields,
  submitPrintJob,
} from './print-jobs/submit.ts'

/** The orientation of a document: portrait by default. */
export const OrientationOption = IntegerEnum(Orientation)

type Options = Record<string, TSchema>
/** The options of a request, all of them optional. */
type OptionValues<O extends Options> = { [Name in keyof O]?: Static<O[Name]> | null }

/** A document with its contents, and the partner and consignment that it belongs to. */
export interface RecordDocument extends DocumentContent {
  partnerId: string
  consignmentId: string | null
  /** the Typst template; default `paper` */
  template?: string
  /** additional data for the template */
  more?: object
}

/** Defines the endpoints of a kind of document. */
export interface DocumentKind<O extends Options> {
  /** the path of the GET endpoint, which ends in `-pdf` */
  path: string
  /** its name in the operation ids of the two endpoints */
  name: string
  partners: PartnerAccess
  /** the scope for downloading it */
  scope: Exclude<RequiredScope, 'any'>
  /** completes the summaries "Download …" and "Print …": "the detail of a consignment" */
  subject: string
  description?: string
  /** whether the specification has the print endpoint */
  isSpecified?: boolean
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  options: O
  /** the maximum number of table rows; default 5,000 */
  maxLines?: number
  /** the print request has `printerId` and `copies` at the top level, not in `printOption` */
  isPrinterInBody?: true
  read(request: {
    db: Db
    actor: Actor
    params: Record<string, string>
    options: OptionValues<O>
  }): Promise<RecordDocument>
}

const PaperSizeOption = {
  ...IntegerEnum(PaperSize),
  description: "Default: the organisation's paperSize.",
}

/** Builds the endpoints of a document: GET {path} and POST {path}/print. */
export function documentEndpoints<const O extends Options>(paper: DocumentKind<O>): Endpoint[] {
  const { path, name, partners, scope, subject, description, isSpecified = false, options } = paper
  const queryFields = Object.entries({ ...options, paperSize: PaperSizeOption }).map(([field, schema]) => [
    pascalCase(field),
    Type.Optional(schema),
  ])
  const printer = paper.isPrinterInBody ? printOptionFields : { printOption: PrintOption }
  return [
    endpoint({
      get: path,
      name: `download${name}Pdf`,
      partners,
      scope,
      extension: true,
      summary: `Download ${subject}`,
      ...(description === undefined ? {} : { description }),
      query: Type.Object(Object.fromEntries(queryFields) as Options),
      response: fileOf('application/pdf'),
      async handle({ db, actor, params, query, signal }) {
        const values = Object.fromEntries(
          Object.entries(query as object).map(([field, value]) => [camelCase(field), value]),
        )
        const document = await paper.read({ db, actor, params, options: values as OptionValues<O> })
        const { content: bytes } = await checkAndRender({ actor, signal }, paper, document, values)
        return { fileName: `${fileName(document)}.pdf`, contentType: 'application/pdf', bytes }
      },
    }),
    endpoint({
      post: `${path}/print`,
      name: `print${name}`,
      partners: partners === 'none' ? 'none' : 'clients',
      scope: 'print',
      ...(isSpecified ? {} : { extension: true }),
      summary: `Print ${subject}`,
      body: named(`${name}Print`, Type.Object({ ...allOptional(options), ...printer })),
      ownTransactions: true,
      response: json(PrintJobCreated),
      async handle({ database, actor, params, body, signal }) {
        const values = body as OptionValues<O> & { printOption?: PrintOption }
        const [printOption, field] = paper.isPrinterInBody
          ? [body as PrintOption, 'printerId']
          : [values.printOption as PrintOption, 'printOption.printerId']
        const { db } = database
        const document = await paper.read({
          db,
          actor,
          params: params as Record<string, string>,
          options: values,
        })
        const printer = await findPrinter(db, actor, printOption, PrintType.Document, field)
        const { content, pages } = await checkAndRender({ actor, signal }, paper, document, values)
        const { partnerId, consignmentId } = document
        const job = { kind: paper.kind, contentType: 'application/pdf', content, pages }
        const { orientation = null } = values as { orientation?: PageOrientation | null }
        return database.inOneStatement(tx =>
          submitPrintJob(tx, actor, printer, {
            ...job,
            name: titleOf(document),
            copies: printOption.copies,
            orientation,
            media: document.header.paperSize === PaperSize.Letter ? 'na_letter_8.5x11in' : 'iso_a4_210x297mm',
            partnerId,
            consignmentId,
            readScopes: scope,
          }),
        )
      },
    }),
  ]
}

type PageOrientation = (typeof Orientation)[keyof typeof Orientation]

const pascalCase = (field: string) => `${field[0]?.toUpperCase()}${field.slice(1)}`
const camelCase = (field: string) => `${field[0]?.toLowerCase()}${field.slice(1)}`

/** "Picking list SSL-000123-OUT" */
const titleOf = ({ title, number }: DocumentContent): string => [title, number].filter(Boolean).join(' ')

/** "picking-list SSL-000123-OUT" */
const fileName = ({ title, number }: DocumentContent): string =>
  [title.toLowerCase().replaceAll(' ', '-'), number].filter(Boolean).join(' ')

/**
 * Renders a document. Refuses (400) one with more lines than its kind allows, or with more characters than
 * any may have.
 */
async function checkAndRender(
  { actor, signal }: { actor: Actor; signal: AbortSignal },
  { maxLines = defaultMaxLines }: { maxLines?: number },
  document: RecordDocument,
  options: object,
): Promise<RenderedDocument> {
  const lines = document.blocks.reduce(
    (sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0),
    0,
  )
  if (lines > maxLines)
    throw verificationFailed(`A document has at most ${maxLines} lines; this one would have ${lines}.`)
  const characters = countCharacters([document.blocks, document.more])
  if (characters > maxCharacters)
    throw verificationFailed(
      `A document has at most ${maxCharacters} characters; this one would have ${characters}.`,
    )
  const { orientation, paperSize } = options as { orientation?: number | null; paperSize?: number }
  const layout = { isLandscape: orientation === Orientation.Landscape, paperSize, more: document.more }
  const { organisationId: owner } = actor
  return renderDocument(document.template ?? 'paper', document, layout, { owner, signal, lines })
}
