import { connect, type Socket } from "node:net"

/**
 * One keep-alive HTTP connection, one request at a time, that does as little as it can: the load generator shares the machine with
 * the server it measures. Knows `Content-Length` answers only, which are all that the server sends here.
 */
export class RawClient {
  readonly #socket: Socket
  readonly #host: string
  #chunks: Buffer[] = []
  #length = 0
  #wanted = -1 // bytes of head and body; -1: the head is not complete yet
  #bodyAt = 0
  #resolve: ((answer: RawAnswer) => void) | null = null
  #reject: ((error: Error) => void) | null = null

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
    socket.on("data", (chunk: Buffer) => this.#read(chunk))
    socket.on("error", (error) => this.#reject?.(error))
    socket.on("close", () => this.#reject?.(new Error("the server closed the connection")))
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, "127.0.0.1")
    socket.setNoDelay(true)
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve).once("error", reject)
    })
    return new RawClient(socket, `127.0.0.1:${port}`)
  }

  request(method: string, path: string, body = ""): Promise<RawAnswer> {
    const type = body === "" ? "" : "content-type: application/json\r\n"
    const length = Buffer.byteLength(body)
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${type}content-length: ${length}\r\n\r\n${body}`,
    )
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  close(): void {
    this.#reject = null
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    if (this.#wanted < 0) {
      const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
      const end = bytes.indexOf("\r\n\r\n")
      if (end < 0) return
      const head = bytes.toString("latin1", 0, end)
      const [, length] = /content-length: (\d+)/i.exec(head) ?? []
      if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`)
      this.#bodyAt = end + 4
      this.#wanted = this.#bodyAt + Number(length)
    }
    if (this.#length < this.#wanted) return
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    const answer = { status: Number(bytes.toString("latin1", 9, 12)), body: bytes.subarray(this.#bodyAt) }
    this.#chunks = []
    this.#length = 0
    this.#wanted = -1
    const resolve = this.#resolve
    this.#resolve = null
    resolve?.(answer)
  }
}

export interface RawAnswer {
  readonly status: number
  readonly body: Buffer
}
