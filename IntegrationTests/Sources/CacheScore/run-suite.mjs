// Runs http-tests/cache-tests against the program CacheScore, for `scripts/cache-score`.
//
//     node run-suite.mjs FOLDER PROGRAM [--session]
//
// The suite's own engine makes the requests, with its own `fetch` replaced by the program, and decides about the
// responses.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { devNull } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [folder, program, ...options] = process.argv.slice(2)
const load = path => import(pathToFileURL(resolve(folder, path)))
const { default: suites } = await load('tests/index.mjs')
const { determineTestResult, resultTypes } = await load('test-engine/lib/results.mjs')
const { forbiddenResponseHeaders } = await load('test-engine/lib/defines.mjs')
const { getResults, runTests } = await load('test-engine/client/runner.mjs')
const { default: others } = await load('results/index.mjs')

// What does not apply to the private cache of a client.
const REASONS = [
  ['CDN-Cache-Control, which is for CDNs (RFC 9213)', (suite, test) => suite.id === 'cdn-cache-control'],
  ['behaviour of shared caches', (suite, test) => /\bshared\b/i.test(test.name)],
  ['1xx responses, which a call does not return', (suite, test) => suite.id === 'interim']
]
const all = suites.flatMap(suite => suite.tests.map(test => ({ kind: 'required', ...test, suite })))
const reason = test => REASONS.find(([, applies]) => applies(test.suite, test))?.[0]
const applicable = all.filter(test => reason(test) === undefined)

// When the server closes a kept connection, the request is repeated, which the suite takes for a second one.
const disconnecting = new Set(all.filter(test => test.requests.some(each => each.disconnect)).map(test => test.id))

/** The program, which sends the requests and has the cache. */
class Client {
  #process = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] })
  #waiting = new Map()
  #sent = 0

  constructor () {
    this.#process.once('exit', code => stop(`the program ended with ${code}`))
    this.#process.once('error', error => stop(error.message))
    this.transport = new Promise(resolve => this.#waiting.set(undefined, { resolve: line => resolve(line.transport) }))
    createInterface({ input: this.#process.stdout }).on('line', text => {
      const line = JSON.parse(text)
      this.#waiting.get(line.id).resolve(line)
      this.#waiting.delete(line.id)
    })
  }

  /** Does what `fetch` does for the suite: an error of the client is a TypeError. */
  async fetch (url, init) {
    const headers = init.headers.map(([name, value]) => [name, `${value}`])
    const has = name => headers.some(header => header[0].toLowerCase() === name)
    // The Fetch Standard's meaning of the cache mode.
    if (init.cache === 'no-cache' && !has('cache-control')) headers.push(['Cache-Control', 'max-age=0'])
    const id = ++this.#sent
    const test = headers.find(header => header[0] === 'Test-ID')[1]
    const request = {
      id,
      method: init.method ?? 'GET',
      url,
      headers,
      body: init.body === undefined ? undefined : Buffer.from(init.body).toString('base64'),
      needsConnection: disconnecting.has(test)
    }
    const line = await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve })
      init.signal.addEventListener('abort', () => reject(init.signal.reason))
      this.#process.stdin.write(`${JSON.stringify(request)}\n`)
    })
    if (line.error !== undefined) throw new TypeError(line.error)
    const text = async () => Buffer.from(line.body, 'base64').toString()
    return { status: line.status, statusText: '', headers: new Headers(line.headers), text }
  }

  end () {
    this.#process.removeAllListeners('exit')
    this.#process.stdin.end()
  }
}

function stop (message) {
  console.error(`cache-score: ${message}`)
  process.exit(1)
}

/** Starts the suite's server in this process; returns its URL. */
async function startServer () {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address()
  await new Promise(resolve => probe.close(resolve))
  Object.assign(process.env, { npm_config_protocol: 'http', npm_config_port: port, npm_config_pidfile: devNull })
  await load('test-engine/server/server.mjs')
  return `http://127.0.0.1:${port}`
}

/**
 * Runs the applicable tests in the suite's mode for browsers, but with what it leaves out for them.
 *
 * In its other mode, each request has a `Pragma` and a `Cache-Control` field, which would change what is tested.
 */
async function run (client) {
  const base = await startServer()
  const fetch = globalThis.fetch
  globalThis.fetch = (url, init) => url.startsWith(`${base}/test/`) ? client.fetch(url, init) : fetch(url, init)
  forbiddenResponseHeaders.clear()
  const tests = applicable.map(test => ({ ...test, browser_only: false, browser_skip: false }))
  await runTests([{ tests }], true, base, 25)
  return getResults()
}

/** The name of the suite's verdict, which is a failure of the dependency if a test that it depends on has failed. */
function verdict (test, results) {
  const type = determineTestResult(suites, test.id, results)
  return Object.keys(resultTypes).find(name => resultTypes[name] === type)
}

const KINDS = ['required', 'optimal', 'check']
const PASSED = ['pass', 'yes']
const FAILED = ['fail', 'optional_fail', 'no']

function row (name, cells) {
  return name.slice(0, 31).padEnd(32) + cells.map(cell => `${cell}`.padStart(8)).join('').trimEnd()
}

/** The numbers of tests of each kind that have passed, have failed, and are undecided. */
function score (name, results) {
  return row(name, KINDS.flatMap(kind => {
    const verdicts = applicable.filter(test => test.kind === kind).map(test => verdict(test, results))
    const [passed, failed] = [PASSED, FAILED].map(names => verdicts.filter(each => names.includes(each)).length)
    return [passed, failed, verdicts.length - passed - failed]
  }))
}

function table (transport, results) {
  const left = KINDS.map(kind => all.filter(test => test.kind === kind && reason(test) !== undefined).length)
  const scores = others.map(({ file, name, version }) => {
    return score(`${name} ${version}`, JSON.parse(readFileSync(join(folder, 'results', file))))
  })
  return [
    row('', ['required', '', '', 'optimal', '', '', 'checks']),
    row('', ['passed', 'failed', 'neither', 'passed', 'failed', 'neither', 'yes', 'no', 'neither']),
    score(transport, results),
    ...scores,
    row('not applicable', left.flatMap(count => [count, '', ''])),
    'Neither: not run, or not decided by the suite, mostly since a test that it depends on has failed.'
  ]
}

/** The tests with one of these verdicts, one a line, with the suite's message. */
function list (title, tests, results, line) {
  return ['', `${title}: ${tests.length}`, ...tests.map(test => `  ${line(test, results[test.id])}`)]
}

function report (transport, results) {
  const message = result => result === true ? 'passes by itself' : result?.join(': ')
  const withMessage = (test, result) => `${test.id}: ${message(result)}`
  const of = (kind, verdicts) => {
    return applicable.filter(test => test.kind === kind && verdicts.includes(verdict(test, results)))
  }
  const undecided = applicable.filter(test => ![...PASSED, ...FAILED].includes(verdict(test, results)))
  const checks = of('check', [...PASSED, ...FAILED])
  return [
    ...table(transport, results),
    ...list('Required tests that fail', of('required', FAILED), results, withMessage),
    ...list('Optimal tests that fail', of('optimal', FAILED), results, withMessage),
    ...list('Not decided', undecided, results, (test, result) => {
      return `${test.id} (${test.kind}): ${verdict(test, results)}, ${message(result)}`
    }),
    ...list('Checks', checks, results, (test, result) => `${test.id}: ${result === true ? 'yes' : 'no'}`),
    ...REASONS.flatMap(([text]) => {
      return list(`Not applicable, ${text}`, all.filter(test => reason(test) === text), results, test => test.id)
    })
  ]
}

// The suite writes what it notices to the console.
console.log = console.error
const client = new Client()
const transport = await client.transport
const results = await run(client)
client.end()
process.stdout.write(report(transport, results).map(line => `${line}\n`).join(''), () => process.exit(0))
