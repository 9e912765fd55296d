/** What SARIF 2.1.0 asks of the objects that a report is made of; nothing else may be in them. */
export const sarifShape = {
  ...object({ $schema: { type: "string" }, version: { const: "2.1.0" }, runs: list("run") }, ["version", "runs"]),
  definitions: {
    run: object(
      {
        tool: object({ driver: reference("driver") }, ["driver"]),
        columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
        invocations: {
          type: "array",
          items: object({ executionSuccessful: { type: "boolean" } }, ["executionSuccessful"]),
        },
        artifacts: { type: "array", items: object({ location: reference("artifactLocation") }, []) },
        results: list("result"),
      },
      ["tool"],
    ),
    driver: object(
      {
        name: { type: "string" },
        semanticVersion: { type: "string", pattern: String.raw`^\d+\.\d+\.\d+` },
        rules: { type: "array", uniqueItems: true, items: reference("rule") },
      },
      ["name"],
    ),
    rule: object({ id: { type: "string" }, defaultConfiguration: object({ level: reference("level") }, []) }, ["id"]),
    level: { enum: ["none", "note", "warning", "error"] },
    result: object(
      {
        ruleId: { type: "string" },
        ruleIndex: { type: "integer", minimum: 0 },
        level: reference("level"),
        message: object({ text: { type: "string", minLength: 1 } }, ["text"]),
        locations: list("location"),
      },
      ["message"],
    ),
    location: object(
      {
        physicalLocation: object({ artifactLocation: reference("artifactLocation"), region: reference("region") }, [
          "artifactLocation",
        ]),
        logicalLocations: { type: "array", items: object({ fullyQualifiedName: { type: "string" } }, []) },
      },
      [],
    ),
    artifactLocation: object({ uri: { type: "string" }, index: { type: "integer", minimum: 0 } }, ["uri"]),
    region: object(
      {
        startLine: { type: "integer", minimum: 1 },
        startColumn: { type: "integer", minimum: 1 },
        endColumn: { type: "integer", minimum: 1 },
      },
      [],
    ),
  },
};

function object(properties: object, required: readonly string[]) {
  return { type: "object", properties, required, additionalProperties: false };
}

function list(name: string) {
  return { type: "array", items: reference(name) };
}

function reference(name: string) {
  return { $ref: `#/definitions/${name}` };
}
