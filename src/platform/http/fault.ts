// What is wrong with a request: the field and a code for programs, and a sentence for people. Each is given
// where the fault is found.

/** The codes of error details, with what each means. */
export const errorCodes = {
  required: 'Something that must be given is missing.',
  type: 'The value is of another JSON type.',
  format: 'The text does not have the form that is asked for, such as a uuid or a date.',
  range: 'The number is too large, too small, or has too many digits.',
  length: 'The text or list is too short or too long.',
  enum: 'The value is none of those that are allowed.',
  pattern: 'The text has characters or a form that is not allowed.',
  invalid: 'The value is wrong in another way, which the message tells.',
  unknown_reference: 'The value names a record that there is not.',
  duplicate: 'The same is there already, or was given twice.',
  conflict: 'It contradicts a record that is there.',
  state: 'The record is in a state that does not allow it.',
  not_found: 'There is no such address or record.',
  method_not_allowed: 'The address is right and does not answer to this method.',
  unauthorised: 'The access token is missing, expired or not valid.',
  forbidden: 'The token does not allow it.',
  rate_limited: 'Too many requests: send it again later.',
  too_large: 'The body, a file or the head of the request is too large.',
  unsupported_type: 'The body is not JSON.',
  unprocessable: 'The content of a file cannot be processed.',
  precondition: 'The record is no longer the one that If-Match names.',
  unavailable: 'Not possible at this moment: send it again later.',
  internal: 'A defect of the service.',
} as const

export type ErrorCode = keyof typeof errorCodes

/** Something that is wrong, as an error body tells it. Spec 7. */
export interface Fault {
  /** the field of the request ("products[2].items[0].quantity"); null where it is about none */
  path: string | null
  code: ErrorCode
  /** a full sentence */
  message: string
}

/** A fault of a field. Its message is the path, then what is wrong there, and a full stop. */
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
      description: 'The field of the request; null where the message is about none.',
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

/** What the API document says of the error body. */
export const errorSchema = {
  type: 'object',
  required: ['ErrorType', 'ErrorMessages', 'ErrorDetails', 'RequestId'],
  properties: {
    ErrorType: { type: 'string', examples: ['Validation Failed'] },
    ErrorMessages: { type: 'array', items: { type: 'string' } },
    ErrorDetails: {
      type: 'array',
      description: 'One for each message, in their order.',
      items: errorDetail,
    },
    RequestId: { type: 'string', description: 'The same as the header X-Request-Id.' },
  },
}
