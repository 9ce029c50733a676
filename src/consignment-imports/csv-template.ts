// The templates of spreadsheets of orders. Spec 2.3.

import { stringify } from 'csv-stringify/sync'
import { endpoint } from '../access/endpoint.ts'
import { fileOf } from '../platform/http/endpoint.ts'
import { IntegerEnum, Type } from '../platform/http/schema.ts'
import { ConsignmentType } from '../vocabulary/consignments.ts'
import { csvColumnNames, templateColumns } from './csv-columns.ts'

const nameOf = (type: ConsignmentType) =>
  Object.keys(ConsignmentType).find(name => ConsignmentType[name as keyof typeof ConsignmentType] === type)

export const importsCsvTemplate = [
  endpoint({
    get: '/v1/consignment-imports/csv-template',
    name: 'getConsignmentImportsCsvTemplate',
    partners: 'clients',
    scope: 'consignment.read',
    extension: true,
    summary: 'Download the CSV template for imports of a type',
    description:
      'A UTF-8 file that has only the header line, with the fields that most orders of the type have. All ' +
      `that a file may have: ${csvColumnNames.join(', ')}.`,
    query: Type.Object({ ConsignmentType: IntegerEnum(ConsignmentType) }),
    response: fileOf('text/csv'),
    handle: ({ query: { ConsignmentType: type } }) =>
      Promise.resolve({
        fileName: `${nameOf(type)?.toLowerCase()}.csv`,
        contentType: 'text/csv; charset=utf-8; header=present',
        bytes: Buffer.from(stringify([templateColumns[type]])),
      }),
  }),
]
