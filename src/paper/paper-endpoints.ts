// The two endpoints of a paper: one returns it as PDF, the other prints it. Spec 4.2; open-points 4.

import type { Db } from '../platform/database/db.ts'
import type { Actor } from '../platform/http/actor.ts'
import { type Endpoint, endpoint, file, json, type PartnerAccess } from '../platform/http/endpoint.ts'
import { verificationFailed } from '../platform/http/refusal.ts'
import { allOptional, IntegerEnum, named, type Static, type TSchema, Type } from '../platform/http/schema.ts'
import type { RequiredScope } from '../platform/http/scopes.ts'
import { type Paper, maxLines as usualLines } from './documents/paper.ts'
import { type Rendered, renderPaper } from './documents/render.ts'
import { Orientation, PaperSize, PrintType } from './enumerations.ts'
import type { PrintJobKind } from './printer-bridges/enumerations.ts'
import {
  findPrinter,
  PrintJobMade,
  PrintOption,
  printOptionFields,
  submitPrintJob,
} from './printer-bridges/submit.ts'

/** Which way a paper is held: upright unless said. */
export const OrientationOption = IntegerEnum(Orientation)

type Options = Record<string, TSchema>
/** Options as a request gives them: each may be left out. */
type Given<O extends Options> = { [Name in keyof O]?: Static<O[Name]> | null }

/** A paper, and whose it is. */
export interface ReadPaper extends Paper {
  partnerId: string
  consignmentId: string | null
  /** the template that sets it: `paper` unless said */
  template?: string
  /** what the template needs beside what papers have */
  more?: object
}

/** What a paper is made from. */
export interface PaperKind<O extends Options> {
  /** the path of its GET, whose last word is its name with `-pdf` */
  path: string
  /** what it is called in the names of the two endpoints */
  name: string
  partners: PartnerAccess
  /** who may have it as a file */
  scope: RequiredScope
  /** completes "Download …": "the detail of a consignment" */
  what: string
  description?: string
  /** printing it is in the specification */
  isSpecified?: boolean
  kind: (typeof PrintJobKind)[keyof typeof PrintJobKind]
  options: O
  /** of its tables together: 5,000 unless said */
  maxLines?: number
  /** its printer stands in the body itself, and not below printOption */
  isPrinterInBody?: true
  read(asked: { db: Db; actor: Actor; params: Record<string, string>; options: Given<O> }): Promise<ReadPaper>
}

const PaperSizeOption = {
  ...IntegerEnum(PaperSize),
  description: "the organisation's paperSize unless said",
}

/** The endpoints of a paper: GET {path}, and POST {path}/print. */
export function paperEndpoints<const O extends Options>(paper: PaperKind<O>): Endpoint[] {
  const { path, name, partners, scope, what, description, isSpecified = false, options } = paper
  const inQuery = Object.entries({ ...options, paperSize: PaperSizeOption }).map(([field, schema]) => [
    pascal(field),
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
      summary: `Download ${what}`,
      ...(description === undefined ? {} : { description }),
      query: Type.Object(Object.fromEntries(inQuery) as Options),
      answer: file,
      async handle({ db, actor, params, query }) {
        const given = Object.fromEntries(
          Object.entries(query as object).map(([field, value]) => [camel(field), value]),
        )
        const made = await paper.read({ db, actor, params, options: given as Given<O> })
        const { content: bytes } = await set(actor, paper, made, given)
        return { fileName: `${fileName(made)}.pdf`, contentType: 'application/pdf', bytes }
      },
    }),
    endpoint({
      post: `${path}/print`,
      name: `print${name}`,
      partners: partners === 'none' ? 'none' : 'clients',
      scope: 'print',
      ...(isSpecified ? {} : { extension: true }),
      summary: `Print ${what}`,
      body: named(`${name}Print`, Type.Object({ ...allOptional(options), ...printer })),
      ownTransactions: true,
      answer: json(PrintJobMade),
      async handle({ database, actor, params, body }) {
        const given = body as Given<O> & { printOption?: PrintOption }
        const [printOption, field] = paper.isPrinterInBody
          ? [body as PrintOption, 'printerId']
          : [given.printOption as PrintOption, 'printOption.printerId']
        const { db } = database
        const made = await paper.read({ db, actor, params: params as Record<string, string>, options: given })
        const printer = await findPrinter(db, actor, printOption, PrintType.Document, field)
        const { content, pages } = await set(actor, paper, made, given)
        const { partnerId, consignmentId } = made
        const job = { kind: paper.kind, contentType: 'application/pdf', content, pages }
        const { orientation = null } = given as { orientation?: PaperOrientation | null }
        return database.inOneStatement(tx =>
          submitPrintJob(tx, actor, printer, {
            ...job,
            name: titleOf(made),
            copies: printOption.copies,
            orientation,
            media: made.head.paperSize === PaperSize.Letter ? 'na_letter_8.5x11in' : 'iso_a4_210x297mm',
            partnerId,
            consignmentId,
          }),
        )
      },
    }),
  ]
}

type PaperOrientation = (typeof Orientation)[keyof typeof Orientation]

const pascal = (field: string) => `${field[0]?.toUpperCase()}${field.slice(1)}`
const camel = (field: string) => `${field[0]?.toLowerCase()}${field.slice(1)}`

/** "Picking list SSL-000123-OUT" */
const titleOf = ({ title, number }: Paper): string => [title, number].filter(Boolean).join(' ')

/** "picking-list SSL-000123-OUT" */
const fileName = ({ title, number }: Paper): string =>
  [title.toLowerCase().replaceAll(' ', '-'), number].filter(Boolean).join(' ')

/** Sets a paper. Refuses (400) one of more lines than any consignment may have. */
async function set(
  { organisationId }: Actor,
  { maxLines = usualLines }: { maxLines?: number },
  made: ReadPaper,
  options: object,
): Promise<Rendered> {
  const lines = made.blocks.reduce((sum, block) => sum + (block.kind === 'table' ? block.rows.length : 0), 0)
  if (lines > maxLines)
    throw verificationFailed(`A paper has at most ${maxLines} lines; this one would have ${lines}.`)
  const { orientation, paperSize } = options as { orientation?: number | null; paperSize?: number }
  const layout = { isLandscape: orientation === Orientation.Landscape, paperSize, more: made.more }
  return renderPaper(made.template ?? 'paper', made, layout, organisationId)
}
