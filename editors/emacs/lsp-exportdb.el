;;; lsp-exportdb.el --- lsp-mode client for exportdb-lsp -*- lexical-binding: t -*-

;; Keywords: lsp, python, pytorch

;;; Commentary:

;; What torch.export makes of PyTorch models: https://github.com/exportdb-lsp/exportdb-lsp
;; Until it is a part of lsp-mode, put this folder on `load-path' and (require 'lsp-exportdb) into init.el.
;; It runs beside a type checker.

;;; Code:

(require 'lsp-mode)

(defgroup lsp-exportdb nil
  "LSP support for exportdb-lsp, which checks PyTorch models for torch.export."
  :group 'lsp-mode
  :link '(url-link "https://github.com/exportdb-lsp/exportdb-lsp"))

(defcustom lsp-exportdb-server-command '("exportdb-lsp" "--stdio")
  "How to start the server."
  :type '(repeat string)
  :group 'lsp-exportdb)

(defcustom lsp-exportdb-mode "non-strict"
  "The export mode that findings are for."
  :type '(choice (const "non-strict") (const "strict") (const "both"))
  :group 'lsp-exportdb)

(defcustom lsp-exportdb-trusted nil
  "Whether what you open may be run without a command.
That is exports on save, and the interpreter that a project names."
  :type 'boolean
  :group 'lsp-exportdb)

(lsp-register-custom-settings '(("exportdb.mode" lsp-exportdb-mode)))

(defun lsp-exportdb-export ()
  "Really export the models of this buffer; the verdicts appear on their lines."
  (interactive)
  (lsp-request-async
   "workspace/executeCommand"
   (list :command "exportdb.export" :arguments (vector (list :uri (lsp--buffer-uri))))
   (lambda (answer)
     (mapc (lambda (result)
             (message "%s (%s): %s. %s" (lsp-get result :target) (lsp-get result :mode)
                      (lsp-get result :outcome) (lsp-get result :message)))
           (lsp-get answer :results)))
   :error-handler (lambda (err) (message "Export: %s" (lsp-get err :message)))
   :mode 'detached))

(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (lambda () lsp-exportdb-server-command))
                  :activation-fn (lsp-activate-on "python")
                  :server-id 'exportdb
                  :initialization-options (lambda () (when lsp-exportdb-trusted '(:trusted t)))
                  :initialized-fn (lambda (workspace)
                                    (with-lsp-workspace workspace
                                      (lsp--set-configuration (lsp-configuration-section "exportdb"))))
                  :add-on? t))

(lsp-consistency-check lsp-exportdb)

(provide 'lsp-exportdb)
;;; lsp-exportdb.el ends here
