// Faults of a request: a field and a code for programs, and a sentence for people. All three are set where
// the fault is found.

/** The codes of refusals on the floor, by which a scanner can tell a person what to do. */
export const floorErrorCodes = {
  wrong_status: 'The status of the consignment, job, count, line or client does not allow it.',
  insufficient_stock: 'There is less stock, or less left to do, than the quantity asks for.',
  allocated: 'The stock or serial is promised to another consignment.',
  held: 'The stock is on hold or in quarantine.',
  not_here: 'The goods are not in that place, on that logistic unit or in that hold.',
  wrong_place: 'Goods cannot be put into that location or onto that logistic unit.',
  wrong_client: 'It belongs to another client.',
  not_permitted: 'The client does not permit this stock in place of the ordered one.',
  serial_required: 'As many serials are needed as goods.',
  serial_unknown: 'That serial is not there.',
  serial_not_taken: 'The product has no serials, or they are captured when it is picked.',
  ambiguous: 'Several records fit; name one.',
} as const

/** The codes in ErrorDetails, with their meanings. */
export const errorCodes = {
  required: 'A required value is missing.',
  type: 'The value has the wrong JSON type.',
  format: 'The text does not have the required form, such as a uuid or a date.',
  range: 'The number is too large, too small, or has too many digits.',
  length: 'The text or list is too short or too long.',
  enum: 'The value is not one of the allowed values.',
  pattern: 'The text has characters or a form that is not allowed.',
  invalid: 'The value is wrong in another way; see the message.',
  unknown_reference: 'The value refers to a record that does not exist.',
  duplicate: 'The same value already exists or was given twice.',
  conflict: 'The request contradicts an existing record.',
  state: 'The record is in a state that does not allow it.',
  not_found: 'There is no such path or record.',
  method_not_allowed: 'The path does not support this method.',
  unauthorised: 'The access token is missing, expired or not valid.',
  forbidden: 'The token does not permit this.',
  rate_limited: 'Too many requests; try again later.',
  too_large: 'The body, a file or the headers of the request are too large.',
  unsupported_type: 'The body is not JSON.',
  unprocessable: 'The content of a file cannot be processed.',
  not_rehearsed: 'The service cannot say beforehand what this request would do.',
  precondition: 'The record no longer has the ETag in If-Match, or another operation has to be done first.',
  unavailable: 'Not possible at the moment; try again later.',
  internal: 'A defect of the service.',
  ...floorErrorCodes,
} as const

export type ErrorCode = keyof typeof errorCodes

/** Something that is wrong with a request, as in ErrorDetails. Spec 7. */
export interface Fault {
  /** the field of the request ("products[2].items[0].quantity"), null if the fault is not about a field */
  path: string | null
  code: ErrorCode
  /** a full sentence */
  message: string
  /** the sentence in ErrorMessages, which has no paths beside it; the message by default */
  listedAs?: string
}

/** Returns a fault of a field. Its message is the path, the problem and a full stop. */
export const faultAt = (path: string, problem: string, code: ErrorCode): Fault => ({
  path,
  code,
  message: `${path} ${problem}.`,
})

const errorDetail = {
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: {
      type: ['string', 'null'],
      description: 'The field of the request, null if the message is not about a field.',
      examples: ['products[2].items[0].quantity'],
    },
    code: {
      type: 'string',
      enum: Object.keys(errorCodes),
      description: Object.entries(errorCodes)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join(' '),
    },
    message: { type: 'string' },
  },
}

/** The schema of the error body for the API document. */
export const errorSchema = {
  type: 'object',
  required: ['ErrorType', 'ErrorMessages', 'ErrorDetails', 'RequestId'],
  properties: {
    ErrorType: { type: 'string', examples: ['Validation Failed'] },
    ErrorMessages: { type: 'array', items: { type: 'string' } },
    ErrorDetails: {
      type: 'array',
      description: 'One for each message, in the same order.',
      items: errorDetail,
    },
    RequestId: { type: 'string', description: 'The same as in the header X-Request-Id.' },
  },
}

/** Names the parameter, and not its first entry, in the fault of a list that was given as one value. */
export function withoutOnlyIndex(fault: Fault, query: Record<string, unknown>): Fault {
  const name = fault.path?.match(/^(\w+)\[0\]$/)?.[1]
  if (name === undefined || (query[name] as unknown[]).length > 1) return fault
  return { ...fault, path: name, message: fault.message.replace(`${name}[0]`, name) }
}
