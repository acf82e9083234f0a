// server.test.js - axc lsp, driven by the library that VS Code itself talks to servers with, and the client
// extension over stand-ins for VS Code. Prints what failed, then "N passed, N failed".
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const Module = require("node:module");
const path = require("node:path");
const rpc = require("vscode-jsonrpc/node");

const AXC = process.env.AXC || "axc";
const TEXT = "workflow w {\n  task load {\n    timout = 5m\n    run    = \"x\"\n  }\n  gate end { }\n  load -> end\n}\n";
const file = { uri: "file:///w.axf" };

function connect() {
  const server = spawn(AXC, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = rpc.createMessageConnection(
    new rpc.StreamMessageReader(server.stdout),
    new rpc.StreamMessageWriter(server.stdin),
  );
  const ended = new Promise((resolve) => server.on("exit", resolve));
  connection.listen();
  return { connection, ended };
}

async function open(connection, text) {
  await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
  await connection.sendNotification("initialized", {});
  const said = new Promise((resolve) => connection.onNotification("textDocument/publishDiagnostics", resolve));
  const textDocument = { ...file, languageId: "axf", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
  return said;
}

const tests = {
  async "a session from initialize to exit"() {
    const { connection, ended } = connect();
    const said = await open(connection, TEXT);
    assert.deepStrictEqual(said.diagnostics.map((d) => d.code), ["E0203"]);
    const position = { line: 6, character: 3 };
    const found = await connection.sendRequest("textDocument/definition", { textDocument: file, position });
    assert.deepStrictEqual(found.range.start, { line: 1, character: 7 });
    const hover = await connection.sendRequest("textDocument/hover", { textDocument: file, position });
    assert.match(hover.contents.value, /task load/);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.strictEqual(await ended, 0);
  },

  async "a refused request is an error, and the session goes on"() {
    const { connection, ended } = connect();
    await open(connection, TEXT);
    await assert.rejects(connection.sendRequest("no/such"), { code: rpc.ErrorCodes.MethodNotFound });
    const params = { textDocument: file, position: { line: 1, character: 8 }, newName: "in" };
    await assert.rejects(connection.sendRequest("textDocument/rename", params), /is no name/);
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    assert.strictEqual(await ended, 0);
  },

  async "the extension starts the server, shows pages and stops"() {
    const calls = [];
    let provider;
    const disposable = { dispose() {} };
    const vscode = {
      workspace: {
        getConfiguration: () => ({ get: (name) => ({ path: AXC, errorPages: "" })[name] }),
        registerTextDocumentContentProvider: (scheme, p) => ((provider = p), calls.push(scheme), disposable),
        onDidChangeConfiguration: () => disposable,
      },
      commands: { registerCommand: (name) => (calls.push(name), disposable) },
      window: { showErrorMessage: (text) => calls.push(text) },
    };
    class LanguageClient {
      constructor(id, name, server, options) {
        calls.push(`${path.basename(server.command)} ${server.args}`, options.documentSelector[0].language);
      }
      async start() {}
      async sendRequest(method, params) {
        return `${method} ${params.code}`;
      }
      async dispose() {
        calls.push("stopped");
      }
    }
    const load = Module._load;
    Module._load = (name, ...rest) =>
      name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
    const extension = require(path.join(process.env.EXTENSION || path.join(__dirname, ".."), "extension.js"));
    Module._load = load;
    await extension.activate({ subscriptions: [] });
    const page = await provider.provideTextDocumentContent({ path: "/E0203.md" });
    assert.strictEqual(page, "axc/explain E0203");
    await extension.deactivate();
    assert.deepStrictEqual(calls, ["axf.restart", "axc-explain", `${path.basename(AXC)} lsp`, "axf", "stopped"]);
  },
};

async function main() {
  let failed = 0;
  for (const [name, run] of Object.entries(tests)) {
    try {
      await run();
    } catch (error) {
      failed++;
      console.log(`FAIL ${name}\n${error.stack}`);
    }
  }
  console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

main();
