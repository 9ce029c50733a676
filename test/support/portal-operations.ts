// Which operations of the API the portal's screens use, as the compiler knows it: `read` and `send` take the
// paths of the API document as types, so a path that is chosen among several is known with all of them, and
// one that is only mentioned, such as in `readAgain`, does not count. Run by node with
// typescript-with-api.ts; prints the operations as JSON, and the files whose path is not known.

import { readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as TypeScript from '../../client/node_modules/typescript/lib/typescript.js'

const ts: typeof TypeScript = (
  await import(new URL('../../client/node_modules/typescript/lib/typescript.js', import.meta.url).href)
).default

const root = fileURLToPath(new URL('../..', import.meta.url))
const documented: Record<string, Record<string, unknown>> = JSON.parse(
  readFileSync(`${root}/test/openapi.json`, 'utf8'),
).paths

const { config } = ts.readConfigFile(`${root}/ui/tsconfig.json`, path => readFileSync(path, 'utf8'))
const { fileNames, options } = ts.parseJsonConfigFileContent(
  { ...config, extends: undefined, include: ['src'] },
  ts.sys,
  dirname(`${root}/portal/tsconfig.json`),
)
const program = ts.createProgram(fileNames, {
  ...options,
  ...{ allowImportingTsExtensions: true, noEmit: true, jsx: ts.JsxEmit.ReactJSX, strict: true },
  ...{ types: [], target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'] },
})
const checker = program.getTypeChecker()

const used = new Set<string>()
const unknown = new Set<string>()

/** The texts that a value of this type can be; undefined if the type does not say. */
function textsOf(type: TypeScript.Type): string[] | undefined {
  if (type.isUnion()) {
    const each = type.types.map(textsOf)
    return each.includes(undefined) ? undefined : (each as string[][]).flat()
  }
  // A path with ids in it, whose type is a template.
  if (type.flags & ts.TypeFlags.TemplateLiteral)
    return [(type as TypeScript.TemplateLiteralType).texts.join('{}')]
  return type.isStringLiteral() ? [type.value] : undefined
}

const isParameter = (type: TypeScript.Type): boolean => (type.flags & ts.TypeFlags.TypeParameter) !== 0

/** What a constant was given, or what a function that only writes a path returns; else undefined. */
function meantBy(node: TypeScript.Expression): TypeScript.Expression | undefined {
  const name = ts.isCallExpression(node) ? node.expression : node
  if (!ts.isIdentifier(name)) return undefined
  const declaration = checker.getSymbolAtLocation(name)?.valueDeclaration
  const given =
    declaration !== undefined && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined
  if (given === undefined) return undefined
  if (!ts.isCallExpression(node)) return ts.isTemplateExpression(given) ? given : undefined
  return ts.isArrowFunction(given) && ts.isTemplateExpression(given.body) ? given.body : undefined
}

/** The paths that an expression can be. Parts whose texts the types do not say are ids. */
function pathsOf(node: TypeScript.Expression): string[] | undefined {
  if (ts.isStringLiteral(node)) return [node.text]
  const type = checker.getTypeAtLocation(node)
  const texts = textsOf(type)
  if (texts !== undefined) return texts
  const meant = meantBy(node)
  if (meant !== undefined) return pathsOf(meant)
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (paths, { expression, literal }) => {
        const parts = pathsOf(expression) ?? ['{}']
        return paths.flatMap(path => parts.map(part => `${path}${part}${literal.text}`))
      },
      [node.head.text],
    )
  return undefined
}

const shape = (path: string): string => path.replace(/\?.*/, '').replace(/\{\w*\}/g, '{}')
const byShape = new Map(Object.keys(documented).map(path => [shape(path), path]))

// No screen chooses among so many: such a place passes on the path that it is given.
const maxChoice = 100

/** Returns whether all of them are in the document. */
function use(methods: readonly string[], paths: readonly string[]): boolean {
  if (paths.length > maxChoice) return true
  for (const known of paths.flatMap(documentedAs))
    for (const method of methods)
      if (documented[known]?.[method] !== undefined) used.add(`${method.toUpperCase()} ${known}`)
  return paths.every(path => documentedAs(path).length > 0)
}

/** The paths of the document that a path stands for: one, or those among which a part of it chooses. */
function documentedAs(path: string): string[] {
  const exact = byShape.get(shape(path))
  if (exact !== undefined) return [exact]
  const form = new RegExp(`^${shape(path).replaceAll('{}', '[^/{}]+')}$`)
  return [...byShape].flatMap(([each, known]) => (form.test(each) ? [known] : []))
}

/** Whether an expression is what the function around it was given: then its callers name the path. */
function isPassedOn(node: TypeScript.Expression): boolean {
  const declaration = checker.getSymbolAtLocation(node)?.valueDeclaration
  return declaration !== undefined && ts.isParameter(declaration)
}

/** The types of the parameters of a call, as it is made. */
function givenTypes(call: TypeScript.CallExpression): TypeScript.Type[] {
  const parameters = checker.getResolvedSignature(call)?.parameters ?? []
  return parameters.map(parameter => checker.getTypeOfSymbolAtLocation(parameter, call))
}

/** Functions that read what is at a path that is given as text; with a body, by a POST. */
const textReaders = ['readFile', 'readTexts', 'download', 'get']

const readers = ['read', 'readAll', 'usePages', 'useFound']
const callers = [...readers, 'send', ...textReaders]

function visitCall(call: TypeScript.CallExpression): void {
  if (!ts.isIdentifier(call.expression)) return
  const name = call.expression.text
  const [first, second] = call.arguments
  // What a call's types are costs time.
  if (first === undefined || !callers.includes(name)) return
  if (readers.includes(name) && ts.isStringLiteral(first)) use(['get'], [first.text])
  else if (name === 'send' && ts.isStringLiteral(first) && second !== undefined && ts.isStringLiteral(second))
    use([first.text], [second.text])
  else visitTypedCall(call, first)
}

/** A call whose method or path is one of several, or passed on. */
function visitTypedCall(call: TypeScript.CallExpression, first: TypeScript.Expression): void {
  const name = (call.expression as TypeScript.Identifier).text
  const [one, two] = givenTypes(call)
  if (readers.includes(name) && one !== undefined && !isParameter(one)) use(['get'], textsOf(one) ?? [])
  if (name === 'send' && one !== undefined && two !== undefined && !isParameter(two))
    use(textsOf(one) ?? [], textsOf(two) ?? [])
  const isReader = checker.getResolvedSignature(call)?.parameters[0]?.name === 'path'
  if (!textReaders.includes(name) || !isReader) return
  const paths = pathsOf(first)
  const hasBody = name === 'readTexts' || /\bbody\b/.test(call.arguments[1]?.getText() ?? '')
  const isKnown = paths === undefined ? isPassedOn(first) : use([hasBody ? 'post' : 'get'], paths)
  if (!isKnown) unknown.add(relative(root, first.getSourceFile().fileName))
}

/** A dialog of an act has its method and path as attributes. */
function visitElement(element: TypeScript.JsxOpeningLikeElement): void {
  const given = Object.fromEntries(
    element.attributes.properties
      .filter(attribute => ts.isJsxAttribute(attribute))
      .map(({ name, initializer }) => [name.getText(), initializer] as const),
  )
  const textsIn = (node: TypeScript.JsxAttributeValue | undefined) =>
    node === undefined
      ? undefined
      : pathsOf((ts.isJsxExpression(node) ? node.expression : node) as TypeScript.Expression)
  const [methods, paths] = [textsIn(given.method), textsIn(given.path)]
  if (methods !== undefined && paths !== undefined) use(methods, paths)
}

/** A list is data whose type is List. */
function visitObject(object: TypeScript.ObjectLiteralExpression): void {
  // The objects that requests are given have other paths.
  if (ts.isCallExpression(object.parent)) return
  if (!object.properties.some(property => property.name?.getText() === 'path')) return
  const type = checker.getContextualType(object)
  if ((type?.aliasSymbol ?? type?.symbol)?.name !== 'List') return
  const path = type?.getProperty('path')
  if (path !== undefined) use(['get'], textsOf(checker.getTypeOfSymbolAtLocation(path, object)) ?? [])
}

function visit(node: TypeScript.Node): void {
  if (ts.isCallExpression(node)) visitCall(node)
  if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) visitElement(node)
  if (ts.isObjectLiteralExpression(node)) visitObject(node)
  ts.forEachChild(node, visit)
}

for (const file of program.getSourceFiles())
  if (file.fileName.startsWith(`${root}portal/src/`) && !file.fileName.endsWith('/api.ts')) visit(file)

process.stdout.write(JSON.stringify({ used: [...used].toSorted(), unknown: [...unknown].toSorted() }))
