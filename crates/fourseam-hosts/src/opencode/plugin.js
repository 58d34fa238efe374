import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

// What is false here is that of each user.
const HOME = @HOME@ || join(homedir(), ".fourseam")
const EXE = @EXE@ || join(HOME, "bin", "fourseam")
const BROKEN = @BROKEN@

function call(event, fields) {
  const input = JSON.stringify({ opencode_plugin: 1, hook_event_name: event, ...fields })
  const options = { input, encoding: "utf8", timeout: 30000, maxBuffer: 64 * 1024 * 1024 }
  const done = spawnSync(EXE, ["hook", "opencode", event, "--home", HOME], options)
  let answer = {}
  try {
    answer = JSON.parse(done.stdout || "{}")
  } catch {}
  return { status: done.status, answer }
}

function dry() {
  try {
    return readFileSync(join(HOME, "@STATE@"), "utf8").split("\n")[0].trim() === "dry"
  } catch {
    return false
  }
}

export const Fourseam = async ({ directory }) => ({
  // An error thrown here, whatever its cause, blocks the call.
  "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
    const { status, answer } = call("tool.execute.before", { tool, sessionID, callID, directory, args: output.args })
    if (status === 2 && answer.reason) throw new Error(answer.reason)
    if (status === 0) {
      // Arguments are obeyed only when they are changed in place.
      if (answer.args) Object.assign(output.args, answer.args)
      return
    }
    if (!dry()) throw new Error(BROKEN)
  },

  "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
    const fields = { tool, sessionID, callID, directory, args, tool_response: output }
    const { answer } = call("tool.execute.after", fields)
    if (answer.context) {
      output.output = `${answer.context}\n\n${output.output || ""}`
      if (Array.isArray(output.content)) output.content.unshift({ type: "text", text: answer.context })
      return
    }
    if (answer.decision !== "deny" || !answer.reason) return
    output.output = answer.reason
    if (Array.isArray(output.content)) output.content = [{ type: "text", text: answer.reason }]
  },

  "chat.message": async ({ sessionID }, { parts }) => {
    const prompt = (parts || []).map((part) => part.text || "").join("\n")
    call("chat.message", { sessionID, directory, prompt })
  },
})
