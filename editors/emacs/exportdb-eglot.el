;;; exportdb-eglot.el --- torch.export findings in Emacs, through eglot -*- lexical-binding: t -*-

;; Put this folder on `load-path' and (require 'exportdb-eglot) into init.el; then M-x eglot in a Python buffer.
;; Eglot runs one server a buffer: this one stands in for a type checker where you start it. With eglot 1.17 or newer
;; and a multiplexer such as lspx both can run.

;;; Code:

(require 'eglot)

(defun exportdb-export ()
  "Really export the models of this buffer; the verdicts appear on their lines."
  (interactive)
  (jsonrpc-async-request
   (eglot--current-server-or-lose) :workspace/executeCommand
   (list :command "exportdb.export" :arguments (vector (eglot--TextDocumentIdentifier)))
   :success-fn (lambda (answer)
                 (mapc (lambda (result)
                         (message "%s (%s): %s. %s" (plist-get result :target) (plist-get result :mode)
                                  (plist-get result :outcome) (plist-get result :message)))
                       (plist-get answer :results)))
   :error-fn (lambda (err) (message "Export: %s" (plist-get err :message)))
   :timeout 600))

(add-to-list 'eglot-server-programs '((python-mode python-ts-mode) . ("exportdb-lsp" "--stdio")))

(provide 'exportdb-eglot)
;;; exportdb-eglot.el ends here
