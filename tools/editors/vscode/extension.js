// extension.js - starts `axc lsp`, and shows the page of a diagnostic when its code is clicked. All that it
// knows of the language is in axc.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const PAGES = "axc-explain";
let client;

function newClient() {
  const settings = vscode.workspace.getConfiguration("axf");
  const server = { command: settings.get("path"), args: ["lsp"] };
  return new LanguageClient("axf", "AX workflows", server, {
    documentSelector: [{ language: "axf" }],
    initializationOptions: { errorPages: settings.get("errorPages") || undefined },
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (error) {
    const where = vscode.workspace.getConfiguration("axf").get("path");
    vscode.window.showErrorMessage(`'${where} lsp' does not start: ${error.message}. Set "axf.path" to axc.`);
  }
}

async function restart() {
  const old = client;
  client = undefined;
  if (old) await old.dispose();
  await start();
}

// axc-explain:/E0203.md
async function pageOf(uri) {
  const code = uri.path.replace(/^\/|\.md$/g, "");
  const page = client && (await client.sendRequest("axc/explain", { code }));
  return page || `axc has no page for '${code}'.`;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("axf.restart", restart),
    vscode.workspace.registerTextDocumentContentProvider(PAGES, { provideTextDocumentContent: pageOf }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("axf.path") || change.affectsConfiguration("axf.errorPages")) restart();
    }),
  );
  await start();
}

async function deactivate() {
  if (client) await client.dispose();
}

module.exports = { activate, deactivate };
